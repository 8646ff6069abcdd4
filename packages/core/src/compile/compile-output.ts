import type { CheckReference } from "../contracts/schema.ts";
import type { JsonSchema } from "../contracts/json.ts";
import { only } from "../spec/document/named-entries.ts";
import { isJsonObject, type OptionsContext } from "../spec/document/options-context.ts";
import { refuseUnwritable } from "../spec/document/read-marked.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { shownValue } from "../spec/document/node-text.ts";
import { outputSchema } from "../spec/document/spec-schemas.ts";
import { checkSchemaPatterns } from "../spec/text/schema-patterns.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { readFields } from "../spec/text/fields.ts";
import { entry, type MapNode, type SpecNode, toJson } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import type { OutputDeclaration } from "../program/program.ts";
import { readLocalPath } from "./compile-workspace.ts";
import { readRepair } from "./read-repair.ts";

const settingKeys: readonly string[] = ["reasoning", "checks"];
const outputKeys: readonly string[] = ["fields", "schema", ...settingKeys, "repair", "deadLetter"];

/** Reads the schema of `output`, before expressions can be read. */
export function readOutputFields(
  node: SpecNode | undefined,
  diagnostics: Diagnostics,
): JsonSchema | undefined {
  if (node === undefined) return undefined;
  if (node.kind !== "map") {
    diagnostics.error(
      "LW-VALUE-MAP-EXPECTED",
      node,
      `\`output\` is a map, not ${shownValue(node)}`,
      "write `output: { fields: { ... } }`",
    );
    return undefined;
  }
  const fields = node.entries.get("fields");
  const schema = node.entries.get("schema");
  if (fields !== undefined && schema !== undefined) {
    diagnostics.error(
      "LW-SPEC-EXCLUSIVE-KEYS",
      schema.key,
      "`output` takes `fields` or `schema`, not both",
      "delete `fields` or `schema`",
    );
    return undefined;
  }
  const found =
    fields !== undefined
      ? readFields(fields.value, diagnostics)?.schema
      : schemaFile(schema?.value, diagnostics);
  const clash =
    isJsonObject(found?.["properties"]) && found["properties"]["reasoning"] !== undefined;
  const reasoning = entry(node, "reasoning");
  if (clash && reasoning?.kind === "scalar" && reasoning.value === "first") {
    const at =
      fields?.value.kind === "map"
        ? (fields.value.entries.get("reasoning")?.key ?? reasoning)
        : reasoning;
    diagnostics.error(
      "LW-SPEC-OUTPUT",
      at,
      "a field called `reasoning` clashes with `reasoning: first`",
      "rename the field, or write `reasoning: none`",
    );
  }
  return found;
}

/** Reads everything of `output`; undefined where the spec declares no fields. */
export function compileOutput(
  node: SpecNode | undefined,
  schema: JsonSchema | undefined,
  options: OptionsContext,
): OutputDeclaration | undefined {
  if (node?.kind !== "map") return undefined;
  const { diagnostics } = options;
  reportKeys(node, diagnostics);
  const owner = {
    name: "output",
    unknownCode: "LW-SPEC-UNKNOWN-KEY",
    missingCode: "LW-SPEC-MISSING-KEY",
  } as const;
  const { reasoning, checks } = readOptions(
    only(node, settingKeys),
    outputSchema,
    owner,
    options,
  ).value;
  // Absolute; its folder is made by the run.
  const letters = entry(node, "deadLetter");
  const deadLetter = letters === undefined ? undefined : readLetterFile(letters, options);
  if (schema === undefined && !node.entries.has("fields") && !node.entries.has("schema")) {
    diagnostics.error(
      "LW-SPEC-MISSING-KEY",
      node,
      "`output` needs `fields`",
      "write `fields: { name: string }`",
    );
  }
  return {
    schema: schema ?? {},
    reasoning: (reasoning ?? "none") as OutputDeclaration["reasoning"],
    ...(deadLetter === undefined ? {} : { deadLetter }),
    checks: (checks ?? []) as unknown as readonly CheckReference[],
    ...readRepair(entry(node, "repair"), options),
  };
}

function readLetterFile(node: SpecNode, options: OptionsContext): string | undefined {
  const path = readLocalPath(node, options);
  return path === undefined || refuseUnwritable(node, path, options) ? undefined : path;
}

function reportKeys(node: MapNode, diagnostics: Diagnostics): void {
  for (const [key, { key: at }] of node.entries) {
    if (outputKeys.includes(key)) continue;
    const repair = didYouMean(key, outputKeys) ?? `known: ${outputKeys.join(", ")}`;
    diagnostics.error("LW-SPEC-UNKNOWN-KEY", at, `\`output\` has no \`${key}\``, repair);
  }
}

function schemaFile(node: SpecNode | undefined, diagnostics: Diagnostics): JsonSchema | undefined {
  if (node === undefined) return undefined;
  const schema = toJson(node);
  // What a model may add beside the declared properties would reach nobody.
  if (!checkSchemaPatterns(node, diagnostics)) return undefined;
  if (isJsonObject(schema) && schema["type"] === "object")
    return { additionalProperties: false, required: [], ...schema };
  const message = isJsonObject(schema)
    ? "the schema of the output must say `type: object`"
    : `\`schema\` is a JSON Schema, not ${shownValue(node)}`;
  diagnostics.error("LW-VALUE-SCHEMA", node, message, 'write `schema: "${file:NAME.json}"`');
  return undefined;
}
