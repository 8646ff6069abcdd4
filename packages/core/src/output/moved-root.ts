import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";

/** Keywords whose members are schemas by name. */
const BY_NAME: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/** Keywords that hold values and no schemas. */
const VALUES: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** A schema in which what refers to its root refers to a definition of the same, so that fields can be laid around the root. */
export function withMovedRoot(schema: JsonSchema): JsonSchema {
  const name = freeName((schema["$defs"] ?? {}) as JsonObject);
  const moved = moveRoot(schema, schema["$id"], `#/$defs/${name}`) as JsonObject;
  if (JSON.stringify(moved) === JSON.stringify(schema)) return schema;
  const { $id: _, $schema: __, $defs: definitions, definitions: ___, ...root } = moved;
  return { ...moved, $defs: { ...((definitions ?? {}) as JsonObject), [name]: root } };
}

function freeName(taken: JsonObject): string {
  let name = "whole";
  while (Object.hasOwn(taken, name)) name += "_";
  return name;
}

function moveRoot(part: Json, id: Json | undefined, to: string, isByName = false): Json {
  if (Array.isArray(part)) return part.map((item) => moveRoot(item as Json, id, to));
  if (typeof part !== "object" || part === null) return part;
  const members = Object.entries(part as JsonObject).map(([key, value]): [string, Json] => {
    if (isByName) return [key, moveRoot(value, id, to)];
    if (VALUES.has(key)) return [key, value];
    if (key === "$ref" && (value === "#" || value === id)) return [key, to];
    return [key, moveRoot(value, id, to, BY_NAME.has(key))];
  });
  return Object.fromEntries(members);
}
