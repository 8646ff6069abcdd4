import type { Json, JsonObject } from "../contracts/json.ts";
import {
  allowedValues,
  isAnnotation,
  isList,
  keywordsOfType,
  typesOf,
} from "./dialects/schema-reading.ts";
import type { CountedThing, SchemaWords } from "./schema-words.ts";

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
export function wordsOfPart(schema: JsonObject, words: SchemaWords): string {
  const said = [kindOf(schema, words), ...boundsOf(schema, words), ...restOf(schema, words)];
  return said.join(words.comma);
}

function kindOf(schema: JsonObject, words: SchemaWords): string {
  const values = allowedValues(schema);
  if (values !== undefined) {
    const [only] = values;
    const list = values.map((value) => JSON.stringify(value)).join(", ");
    return values.length === 1 && only !== undefined ? words.always(list) : words.oneOf(list);
  }
  const types = typesOf(schema);
  if (types === undefined) return words.anyJson;
  return types.map((type) => words.nouns[type] ?? type).join(words.or);
}

function boundsOf(schema: JsonObject, words: SchemaWords): readonly string[] {
  const { multipleOf, pattern, format, uniqueItems, additionalProperties } = schema;
  const said = [
    countOf(schema, "minLength", "maxLength", "character", words),
    rangeOf(schema, words),
    typeof multipleOf === "number" ? words.multipleOf(multipleOf) : "",
    typeof pattern === "string" ? words.pattern(pattern) : "",
    typeof format === "string" ? words.format(format) : "",
    countOf(schema, "minItems", "maxItems", "item", words),
    uniqueItems === true ? words.noTwoAlike : "",
    countOf(schema, "minProperties", "maxProperties", "field", words),
    additionalProperties === false ? words.noOtherFields : "",
  ];
  return said.filter((part) => part !== "");
}

function countOf(
  schema: JsonObject,
  least: string,
  most: string,
  thing: CountedThing,
  words: SchemaWords,
): string {
  const low = numberAt(schema, least) ?? 0;
  const high = numberAt(schema, most);
  if (high === undefined) return low > 0 ? words.atLeast(low, thing) : "";
  if (low === high) return words.exactly(low, thing);
  return low > 0 ? words.between(low, high, thing) : words.atMost(high, thing);
}

function rangeOf(schema: JsonObject, { bounds, and }: SchemaWords): string {
  const said = Object.entries(bounds).flatMap(([keyword, word]) => {
    const bound = numberAt(schema, keyword);
    return bound === undefined ? [] : [`${word} ${bound}`];
  });
  return said.join(and);
}

function numberAt(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
}

/** What has no words is told as JSON Schema, so that nothing that is checked stays unsaid. */
function restOf(schema: JsonObject, words: SchemaWords): readonly string[] {
  const rest: (readonly [string, Json])[] = Object.entries(schema).filter(
    ([keyword]) => !isAnnotation(keyword) && (untold.has(keyword) || !described.has(keyword)),
  );
  if (rest.length === 0) return [];
  return [words.fitsSchema(JSON.stringify(Object.fromEntries(rest)))];
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
