import type { Json, JsonObject, JsonSchema } from "../../contracts/json.ts";

/** The JSON types, the order in which a union names them. */
export const jsonTypes: readonly string[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "object",
  "array",
];

/** The keywords that say something about values of one type only. */
export const keywordsOfType: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  boolean: [],
  null: [],
  object: [
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
  ],
  array: [
    "items",
    "prefixItems",
    "additionalItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedItems",
  ],
};

const annotations = new Set([
  "$schema",
  "$id",
  "id",
  "$comment",
  "$anchor",
  "$vocabulary",
  "$defs",
  "definitions",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentMediaType",
  "contentEncoding",
  "contentSchema",
  "discriminator",
]);

/** Tells whether a keyword leaves the set of fitting values as it is. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith("x-");
}

/** Tells whether a value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tells whether a value is a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The type of a value; a whole number is an `integer`. */
function typeOfValue(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** Tells whether a value is of a type. */
export function isOfType(value: Json, type: string): boolean {
  const own = typeOfValue(value);
  return own === type || (own === "integer" && type === "number");
}

/** The types that a schema names, or that its allowed values or keywords show; undefined where nothing tells. */
export function typesOf(schema: JsonSchema): readonly string[] | undefined {
  const named = schema["type"];
  if (typeof named === "string") return [named];
  if (isList(named)) return named.filter((type) => typeof type === "string");
  const values = allowedValues(schema);
  if (values !== undefined) return [...new Set(values.map((value) => typeOfValue(value)))];
  const shown = Object.entries(keywordsOfType)
    .filter(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)))
    .map(([type]) => type)
    .filter((type) => type !== "integer");
  return shown.length === 0 ? undefined : shown;
}

/** The values that a schema allows by `enum` or `const`; undefined where it lists none. */
export function allowedValues(schema: JsonSchema): readonly Json[] | undefined {
  const listed = isList(schema["enum"]) ? schema["enum"].filter(isJson) : undefined;
  const only = schema["const"];
  if (only === undefined) return listed;
  return listed === undefined || listed.some((value) => isSame(value, only)) ? [only] : [];
}

/** A number beyond all bounds can be read from a text like `1e999`, but not be written. */
function isJson(value: Json): boolean {
  return typeof value !== "number" || Number.isFinite(value);
}

/** Tells whether two values are the same JSON, whatever the order of their fields. */
export function isSame(one: Json, other: Json): boolean {
  if (typeof one !== "object" || typeof other !== "object") return one === other;
  return one === other || canonical(one) === canonical(other);
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_, part: Json) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Finds what a local reference names; undefined where there is nothing, or the reference is not local. */
export function resolvePointer(root: JsonSchema, reference: string): Json | undefined {
  const id = typeof root["$id"] === "string" ? root["$id"] : "";
  const local =
    id !== "" && reference.startsWith(`${id}#`) ? reference.slice(id.length) : reference;
  if (local === "#") return root;
  if (!local.startsWith("#/")) return undefined;
  let part: Json | undefined = root;
  for (const step of local.slice(2).split("/")) {
    const name = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (isList(part)) part = part[Number(name)];
    else if (isObject(part) && Object.hasOwn(part, name)) part = part[name];
    else return undefined;
  }
  return part;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
