import type { Json, JsonObject, JsonSchema } from "@loopwright/core/plugin";

const REFUSED = [
  "allOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
];

/** Tells whether OpenAI takes a schema strictly: a root object, every object closed and all its properties required. */
export function isStrictSchema(schema: JsonSchema): boolean {
  return schema["type"] === "object" && schema["anyOf"] === undefined && isStrictPart(schema);
}

function isStrictPart(part: Json): boolean {
  if (!isObject(part)) return false;
  if (REFUSED.some((key) => key in part)) return false;
  if (part["type"] === "object" && !isClosed(part)) return false;
  return childrenOf(part).every(isStrictPart);
}

function isClosed(part: JsonObject): boolean {
  const { properties = {}, required = [], additionalProperties } = part;
  if (additionalProperties !== false || !isObject(properties) || !Array.isArray(required))
    return false;
  return Object.keys(properties).every((name) => required.includes(name));
}

function childrenOf(part: JsonObject): readonly Json[] {
  const { properties = {}, $defs = {}, anyOf = [], items } = part;
  return [
    ...(isObject(properties) ? Object.values(properties) : []),
    ...(isObject($defs) ? Object.values($defs) : []),
    ...(Array.isArray(anyOf) ? (anyOf as readonly Json[]) : []),
    ...(items === undefined ? [] : [items]),
  ];
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
