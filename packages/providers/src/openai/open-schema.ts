import type { Json, JsonObject, JsonSchema } from "@loopwright/core/plugin";

/** The fields that any branch of a schema names, all optional: what is left of arguments whose root is a union. */
export function openSchema(schema: JsonSchema): JsonSchema {
  const found = new Map<string, Json[]>();
  for (const branch of branchesOf(schema, schema, new Set())) {
    const { properties } = branch;
    for (const [name, field] of Object.entries(isObject(properties) ? properties : {}))
      found.set(name, withOther(found.get(name) ?? [], field));
  }
  const properties = [...found].map(([name, fields]) => [
    name,
    fields.length === 1 ? fields[0] : { anyOf: fields },
  ]);
  const { $defs, definitions } = schema;
  return {
    type: "object",
    properties: Object.fromEntries(properties) as JsonObject,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

function withOther(fields: Json[], field: Json): Json[] {
  const text = JSON.stringify(field);
  return fields.some((one) => JSON.stringify(one) === text) ? fields : [...fields, field];
}

/** A schema and all that its unions and references lead to, each once. */
function branchesOf(schema: Json | undefined, root: JsonSchema, seen: Set<Json>): JsonObject[] {
  if (!isObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const lists = [schema["anyOf"], schema["oneOf"], schema["allOf"]];
  const branches = lists.flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  const referred = typeof schema["$ref"] === "string" ? partAt(root, schema["$ref"]) : undefined;
  return [schema, ...[...branches, referred].flatMap((one) => branchesOf(one, root, seen))];
}

function partAt(root: JsonSchema, reference: string): Json | undefined {
  if (!reference.startsWith("#/")) return undefined;
  return reference
    .slice(2)
    .split("/")
    .reduce<Json | undefined>(
      (part, name) => (isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined),
      root,
    );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
