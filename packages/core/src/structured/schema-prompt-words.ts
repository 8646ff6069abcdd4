import type { Json, JsonObject } from "../contracts/json.ts";
import {
  allowedValues,
  isAnnotation,
  isList,
  keywordsOfType,
  typesOf,
} from "./dialects/schema-reading.ts";

const nouns: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  null: "null",
  object: "object",
  array: "list",
};

const described = new Set([
  ...Object.values(keywordsOfType).flat(),
  "type",
  "enum",
  "const",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
]);
/** Keywords of objects and lists that are not told in words of their own. */
const untold = new Set([
  "contains",
  "minContains",
  "maxContains",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** What a part of a schema asks for, in words, without the parts within it. */
export function wordsOfPart(schema: JsonObject): string {
  return [kindOf(schema), ...boundsOf(schema), ...restOf(schema)].join(", ");
}

function kindOf(schema: JsonObject): string {
  const values = allowedValues(schema);
  if (values !== undefined) {
    const [only] = values;
    const list = values.map((value) => JSON.stringify(value)).join(", ");
    return values.length === 1 && only !== undefined ? `always ${list}` : `one of ${list}`;
  }
  const types = typesOf(schema);
  if (types === undefined) return "any JSON";
  return types.map((type) => nouns[type] ?? type).join(" or ");
}

function boundsOf(schema: JsonObject): readonly string[] {
  const said = [
    countOf(schema, "minLength", "maxLength", "character"),
    rangeOf(schema),
    typeof schema["multipleOf"] === "number" ? `a multiple of ${schema["multipleOf"]}` : "",
    typeof schema["pattern"] === "string" ? `matches the pattern ${schema["pattern"]}` : "",
    typeof schema["format"] === "string" ? `in the format ${schema["format"]}` : "",
    countOf(schema, "minItems", "maxItems", "item"),
    schema["uniqueItems"] === true ? "no two items alike" : "",
    countOf(schema, "minProperties", "maxProperties", "field"),
    schema["additionalProperties"] === false ? "no other fields" : "",
  ];
  return said.filter((words) => words !== "");
}

function countOf(schema: JsonObject, least: string, most: string, noun: string): string {
  const low = numberAt(schema, least) ?? 0;
  const high = numberAt(schema, most);
  if (high === undefined) return low > 0 ? `at least ${counted(low, noun)}` : "";
  if (low === high) return `exactly ${counted(low, noun)}`;
  return low > 0 ? `${low} to ${counted(high, noun)}` : `at most ${counted(high, noun)}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function rangeOf(schema: JsonObject): string {
  const said = [
    ["minimum", "at least"],
    ["exclusiveMinimum", "more than"],
    ["maximum", "at most"],
    ["exclusiveMaximum", "less than"],
  ].flatMap(([keyword = "", words = ""]) => {
    const bound = numberAt(schema, keyword);
    return bound === undefined ? [] : [`${words} ${bound}`];
  });
  return said.join(" and ");
}

function numberAt(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
}

/** What has no words is told as JSON Schema, so that nothing that is checked stays unsaid. */
function restOf(schema: JsonObject): readonly string[] {
  const rest: (readonly [string, Json])[] = Object.entries(schema).filter(
    ([keyword]) => !isAnnotation(keyword) && (untold.has(keyword) || !described.has(keyword)),
  );
  if (rest.length === 0) return [];
  return [`fits the JSON Schema ${JSON.stringify(Object.fromEntries(rest))}`];
}

/** The description that a part carries, ready to follow its words. */
export function noteOfPart(schema: JsonObject): string {
  const text = schema["description"] ?? schema["title"];
  return typeof text === "string" && text.trim() !== ""
    ? ` — ${text.trim().replaceAll(/\s+/gu, " ")}`
    : "";
}

/** The schemas of the places of a list, and of its further items. */
export function itemsOf(schema: JsonObject): { places: readonly Json[]; rest: Json | undefined } {
  const { prefixItems, items, additionalItems } = schema;
  if (prefixItems !== undefined && isList(prefixItems)) return { places: prefixItems, rest: items };
  if (items !== undefined && isList(items)) return { places: items, rest: additionalItems };
  return { places: [], rest: items };
}
