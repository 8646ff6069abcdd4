import type { Json, JsonSchema } from "../contracts/json.ts";
import type { SpecDocument } from "../spec/document/read-document.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import { schemaFault } from "../validation/json-validator.ts";
import type { Draft } from "./canonical-spec.ts";

/** Keywords whose values may be unusable although the schema is well formed. */
const risky: ReadonlySet<string> = new Set(
  "pattern format $ref if then else not allOf anyOf oneOf patternProperties prefixItems contains".split(
    " ",
  ),
);

/** Reports schemas of the spec that no validator can use: a broken pattern, an unknown format, a reference to nothing. */
export function checkSchemas(draft: Draft, document: SpecDocument, diagnostics: Diagnostics): void {
  const tools = document.section("tools");
  report("inputs", draft.inputs.schema, document.section("inputs"), diagnostics);
  report("output", draft.output?.schema, document.section("output"), diagnostics);
  for (const tool of draft.tools.values()) {
    // A schema that stands in code is its package's to test.
    if (typeof tool.definition.input !== "function") continue;
    const own = tools?.kind === "map" ? entry(tools, tool.name) : tools;
    report(`the input of ${tool.name}`, tool.input, own, diagnostics);
  }
}

function report(
  what: string,
  schema: JsonSchema | undefined,
  at: SpecNode | undefined,
  diagnostics: Diagnostics,
): void {
  if (schema === undefined || at === undefined || !isRisky(schema)) return;
  const fault = schemaFault(schema);
  if (fault === undefined) return;
  diagnostics.error(
    "LW-VALUE-SCHEMA",
    at,
    `the schema of ${what} can't be used: ${fault}`,
    "mend the keyword that the message names",
  );
}

function isRisky(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((item: Json) => isRisky(item));
  return Object.entries(value).some(([key, part]) => risky.has(key) || isRisky(part));
}
