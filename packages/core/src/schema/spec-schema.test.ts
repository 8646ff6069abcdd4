import { readdirSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type BrokenCase, head } from "../../test/broken/broken-case.ts";
import { stubPlugins } from "../../test/stub-plugins.ts";
import type { PluginDefinition, PluginKind } from "../contracts/plugin-definition.ts";
import { commonSettings, policyKeys } from "../spec/document/spec-schemas.ts";
import { specSchema } from "./spec-schema.ts";

const kinds: readonly PluginKind[] = ["strategy", "provider", "tool", "check", "memory", "sink"];
const definitions = await Promise.all(
  kinds.flatMap((kind) => stubPlugins.ids(kind).map((id) => definitionOf(kind, id))),
);
const schema = specSchema(definitions);
const ajv = new Ajv2020({ strict: false });
const isValid = ajv.compile(schema);

async function definitionOf(kind: PluginKind, id: string): Promise<PluginDefinition> {
  const found = await stubPlugins.find(kind, id);
  if (found.status !== "found") throw new Error(`no stub ${id}`);
  return found.definition;
}

const folder = new URL("../../test/broken/", import.meta.url);
const tables = await Promise.all(
  readdirSync(folder)
    .filter((file) => file !== "broken-case.ts")
    .map(
      async (file) =>
        (await import(new URL(file, folder).href)) as { cases: readonly BrokenCase[] },
    ),
);
const cases = tables.flatMap((table) => table.cases);

/** What the form of a spec alone decides. */
const structural: ReadonlySet<string> = new Set([
  "LW-FILE-EMPTY",
  "LW-SPEC-API-VERSION",
  "LW-SPEC-MISSING-KEY",
  "LW-SPEC-UNKNOWN-KEY",
  "LW-SPEC-EXCLUSIVE-KEYS",
  "LW-STAGE-EMPTY",
  "LW-STAGE-FORM",
  "LW-STAGE-MISPLACED-OPTION",
  "LW-STAGE-MISSING-OPTION",
  "LW-STAGE-MISSING-SLOT",
  "LW-STAGE-UNKNOWN-OPTION",
  "LW-MODEL-UNKNOWN-VOICE",
  "LW-VALUE-BOOLEAN-EXPECTED",
  "LW-VALUE-CHOICE",
  "LW-VALUE-COUNT",
  "LW-VALUE-DURATION",
  "LW-VALUE-ENUM",
  "LW-VALUE-FIELD-NAME",
  "LW-VALUE-FIELD-TYPE",
  "LW-VALUE-FIELDS",
  "LW-VALUE-ID",
  "LW-VALUE-LIST-EXPECTED",
  "LW-VALUE-MAP-EXPECTED",
  "LW-VALUE-NUMBER-EXPECTED",
  "LW-VALUE-RANGE",
  "LW-VALUE-RATE",
  "LW-VALUE-TEXT-EXPECTED",
  "LW-VALUE-TYPE",
  "LW-YAML-NULL",
]);

/** What the schema refuses in some places and not in others. */
const either: ReadonlySet<string> = new Set([
  "LW-EXPR-TYPE",
  "LW-PLUGIN-AMBIGUOUS",
  "LW-PLUGIN-KIND",
  "LW-PLUGIN-UNKNOWN",
  "LW-SPEC-PATCH",
  "LW-SPEC-STRATEGY-NAME",
  "LW-SUBST-SECRET-PLACE",
  "LW-VALUE-SCHEMA",
  "LW-YAML-ALIAS",
  "LW-YAML-COMMA",
  "LW-YAML-DEPTH",
  "LW-YAML-INVISIBLE",
  "LW-YAML-LOOK-ALIKE",
  "LW-YAML-NUMBER",
  "LW-YAML-UNQUOTED-TEMPLATE",
]);

/** A form that another file decides. */
const elsewhere: ReadonlySet<string> = new Set(["a number where the agent wants text"]);

describe("the schema of specs", () => {
  it("is a schema of 2020-12", () => {
    expect(ajv.validateSchema(schema)).toBe(true);
  });

  for (const { name, spec, bare, found } of cases) {
    const codes = found.flatMap(([code, , , file]) => (file === undefined ? [code] : []));
    const data = dataOf(bare === true ? spec : head + spec);
    const isStructural = codes.some((code) => structural.has(code));
    if (elsewhere.has(name) || data === undefined || codes.some((code) => either.has(code)))
      continue;
    it(`${isStructural ? "refuses" : "leaves to `check`"} ${name}`, () => {
      expect(isValid(data)).toBe(!isStructural);
    });
  }

  it("knows every setting of a stage and every policy of a tool", () => {
    const { "strategy.react": react, policy } = schema["$defs"] as Readonly<
      Record<string, { readonly properties: object }>
    >;
    expect(Object.keys(react?.properties ?? {})).toEqual(
      expect.arrayContaining([...commonSettings]),
    );
    expect(Object.keys(policy?.properties ?? {}).toSorted()).toEqual([...policyKeys].toSorted());
  });
});

/** The data of a text that is YAML; a fault of YAML itself is not the schema's to find. */
function dataOf(text: string): unknown {
  try {
    return parse(text, { logLevel: "error" });
  } catch {
    return undefined;
  }
}
