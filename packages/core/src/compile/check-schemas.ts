import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import type { SpecDocument } from "../spec/document/read-document.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import { schemaFault } from "../validation/json-validator.ts";
import type { Draft } from "./canonical-spec.ts";

/** What the short forms of fields use; a schema with any other keyword is tried. */
const plain: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "default",
  "description",
  "title",
]);

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
  if (schema === undefined || at === undefined || isPlain(schema)) return;
  const fault = schemaFault(schema);
  if (fault === undefined) return;
  diagnostics.error(
    "LW-VALUE-SCHEMA",
    at,
    `the schema of ${what} can't be used: ${fault}`,
    "mend the keyword that the message names",
  );
}

function isPlain(schema: Json | undefined): boolean {
  if (!isObject(schema)) return true;
  const { properties, items } = schema;
  return (
    Object.keys(schema).every((key) => plain.has(key)) &&
    (!isObject(properties) || Object.values(properties).every(isPlain)) &&
    (Array.isArray(items) ? false : isPlain(items))
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
