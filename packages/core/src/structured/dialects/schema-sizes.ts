import type { Json, JsonSchema } from "../../contracts/json.ts";
import type { SchemaSizes } from "./dialect-rules.ts";
import { isList, isObject } from "./schema-reading.ts";

type Open = Record<keyof SchemaSizes, number>;

/** Measures a schema for the wire. */
export function sizesOf(schema: JsonSchema): SchemaSizes {
  const sizes: Open = { properties: 0, depth: 0, enumValues: 0, branches: 0, characters: 0 };
  const open: (readonly [part: Json, depth: number])[] = [[schema, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [part, outer] = next;
    if (!isObject(part)) continue;
    const depth = measure(part, outer, sizes);
    for (const inner of partsOf(part)) open.push([inner, depth]);
    const { $defs } = part;
    if (!isObject($defs)) continue;
    // A definition is as deep as it is alone.
    for (const inner of Object.values($defs)) open.push([inner, 0]);
    sizes.characters += Object.keys($defs).join("").length;
  }
  return sizes;
}

function measure(part: JsonSchema, outer: number, sizes: Open): number {
  const depth = part["type"] === "object" ? outer + 1 : outer;
  sizes.depth = Math.max(sizes.depth, depth);
  const { properties, enum: values, const: only, anyOf } = part;
  if (isObject(properties)) {
    const names = Object.keys(properties);
    sizes.properties += names.length;
    sizes.characters += names.join("").length;
  }
  if (isList(values)) {
    sizes.enumValues += values.length;
    sizes.characters += values.reduce<number>((sum, value) => sum + lengthOf(value), 0);
  }
  if (only !== undefined) sizes.characters += lengthOf(only);
  if (isList(anyOf)) sizes.branches = Math.max(sizes.branches, anyOf.length);
  return depth;
}

function lengthOf(value: Json): number {
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}

function partsOf(part: JsonSchema): readonly Json[] {
  const { properties, items, additionalProperties, anyOf } = part;
  return [
    ...(isObject(properties) ? Object.values(properties) : []),
    ...(isList(anyOf) ? anyOf : []),
    ...(items === undefined ? [] : [items]),
    ...(additionalProperties === undefined ? [] : [additionalProperties]),
  ];
}
