import type { Json, JsonObject } from "../../contracts/json.ts";
import { type DialectPass, note, type Place } from "./dialect-pass.ts";
import { keywordsOfType } from "./schema-reading.ts";

const counted = new Set(["minLength", "maxLength", "minItems", "maxItems"]);
const written = new Set([
  ...counted,
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "pattern",
  "format",
]);
/** Written by the parts of objects and lists. */
const structural = new Set([
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "dependentSchemas",
  "dependencies",
]);

/** Writes the bounds, patterns and formats of one type, and notes those that can't be said. */
export function compileLeaves(
  pass: DialectPass,
  schema: JsonObject,
  type: string,
  place: Place,
): JsonObject {
  const leaves: Record<string, Json> = {};
  for (const keyword of keywordsOfType[type] ?? []) {
    const value = schema[keyword];
    if (value === undefined || structural.has(keyword)) continue;
    if (!written.has(keyword)) noteDropped(pass, keyword, value, place);
    else if (!isSound(keyword, value))
      note(pass.rejected, place, keyword, "has a value that it can't have");
    else
      for (const [name, kept] of sayable(pass, keyword, value, type, place)) {
        leaves[name] = tighter(name, leaves[name], kept);
      }
  }
  return leaves;
}

function noteDropped(pass: DialectPass, keyword: string, value: Json, place: Place): void {
  const saysNothing = value === false && keyword === "uniqueItems";
  if (!saysNothing) note(pass.lossy, place, keyword, "can't be said on the wire");
}

function isSound(keyword: string, value: Json): boolean {
  if (keyword === "pattern" || keyword === "format") return typeof value === "string";
  if (typeof value !== "number") return false;
  return counted.has(keyword) ? Number.isInteger(value) && value >= 0 : true;
}

/** The keywords that say a bound in this dialect: none, itself, or the nearest that says no more. */
function sayable(
  pass: DialectPass,
  keyword: string,
  value: Json,
  type: string,
  place: Place,
): readonly (readonly [string, Json])[] {
  const [name, sent, isLess] = nearest(pass, keyword, value, type);
  const { keywords, formats, takes } = pass.rules;
  const isTaken =
    keywords.has(name) &&
    takes(name, sent, type) &&
    (name !== "format" || (typeof sent === "string" && formats.has(sent)));
  if (!isTaken) {
    note(pass.lossy, place, keyword, `${JSON.stringify(value)} can't be said on the wire`);
    return [];
  }
  if (isLess) note(pass.lossy, place, keyword, `is sent as \`${name}\`, which lets the bound in`);
  return [[name, sent]];
}

type Nearest = readonly [name: string, value: Json, isLess: boolean];

function nearest(pass: DialectPass, keyword: string, value: Json, type: string): Nearest {
  if (typeof value !== "number") return [keyword, value, false];
  const isWhole = type === "integer";
  switch (keyword) {
    case "minimum":
      return [keyword, isWhole ? Math.ceil(value) : value, false];
    case "maximum":
      return [keyword, isWhole ? Math.floor(value) : value, false];
    case "exclusiveMinimum":
      if (isWhole) return ["minimum", Math.floor(value) + 1, false];
      return pass.rules.keywords.has(keyword) ? [keyword, value, false] : ["minimum", value, true];
    case "exclusiveMaximum":
      if (isWhole) return ["maximum", Math.ceil(value) - 1, false];
      return pass.rules.keywords.has(keyword) ? [keyword, value, false] : ["maximum", value, true];
    default:
      return [keyword, value, false];
  }
}

function tighter(keyword: string, one: Json | undefined, other: Json): Json {
  if (typeof one !== "number" || typeof other !== "number") return other;
  return keyword.startsWith("max") ? Math.min(one, other) : Math.max(one, other);
}
