import type { Json, JsonSchema } from "@loopwright/core/plugin";

/** Schemas inside schemas are looked at so deep. */
const maxDepth = 8;

/**
 * The JSON types that a tool's schema allows for one argument; `number` for whole numbers too. An argument that it declares
 * without a type may be a list or an object; one that it does not declare is text.
 */
export function wantedTypes(name: string, input: JsonSchema): ReadonlySet<string> {
  const declared = partOf(partOf(input, "properties"), name);
  if (declared === undefined) return new Set(["string"]);
  const types = typesOf(declared, input, 0).map((type) => (type === "integer" ? "number" : type));
  return new Set(types.length === 0 ? ["array", "object"] : types);
}

function typesOf(schema: Json | undefined, root: JsonSchema, depth: number): readonly string[] {
  if (depth > maxDepth) return [];
  const type = partOf(schema, "type");
  const own = listOf(type ?? null).filter((one) => typeof one === "string");
  const constant = partOf(schema, "const");
  const values = [...listOf(partOf(schema, "enum")), ...(constant === undefined ? [] : [constant])];
  const parts = ["anyOf", "oneOf", "allOf"].flatMap((key) => listOf(partOf(schema, key)));
  const target = targetOf(partOf(schema, "$ref"), root);
  return [
    ...own,
    ...values.map((value) => (value === null ? "null" : typeof value)),
    ...[...parts, target].flatMap((part) => typesOf(part, root, depth + 1)),
  ];
}

/** The part of a schema that a reference inside it names, like `#/$defs/place`. */
function targetOf(reference: Json | undefined, root: JsonSchema): Json | undefined {
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let part: Json | undefined = root;
  for (const key of reference.slice(2).split("/")) part = partOf(part, key);
  return part;
}

function partOf(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, Json>>)[key] : undefined;
}

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}
