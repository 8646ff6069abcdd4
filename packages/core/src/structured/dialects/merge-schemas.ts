import type { Json, JsonSchema } from "../../contracts/json.ts";
import { isAnnotation, isList, isObject, isSame } from "./schema-reading.ts";

/** Two schemas as one: what it can't hold is left out of it and named. */
export interface MergedSchema {
  readonly schema: JsonSchema;
  /** Keywords of the second that the merged schema does not hold. */
  readonly lost: readonly string[];
  /** Whether no value can fit both. */
  readonly isEmpty: boolean;
}

const larger = new Set(["minLength", "minimum", "exclusiveMinimum", "minItems", "minProperties"]);
const smaller = new Set(["maxLength", "maximum", "exclusiveMaximum", "maxItems", "maxProperties"]);
const conditional = ["if", "then", "else"];

/** Makes one schema that holds for every value that fits both; it may hold for more. */
export function mergeSchemas(first: JsonSchema, second: JsonSchema): MergedSchema {
  const merged: Record<string, Json> = Object.create(null) as Record<string, Json>;
  Object.assign(merged, first);
  const lost: string[] = [];
  let isEmpty = false;
  const isConditional = conditional.some((keyword) => first[keyword] !== undefined);
  for (const [keyword, value] of Object.entries(second)) {
    const own = first[keyword];
    if (conditional.includes(keyword) && isConditional) {
      if (!isSame(own ?? null, value)) lost.push(keyword);
    } else if (own === undefined) {
      merged[keyword] = value;
    } else if (!isAnnotation(keyword) && !isSame(own, value)) {
      const both = mergeKeyword(keyword, own, value);
      if (both === "lost") lost.push(keyword);
      else if (both === "empty") isEmpty = true;
      else merged[keyword] = both.value;
    }
  }
  if (second["$ref"] !== undefined && first["$ref"] !== undefined && lost.includes("$ref")) {
    const others = isList(merged["allOf"]) ? merged["allOf"] : [];
    merged["allOf"] = [...others, { $ref: second["$ref"] }];
    lost.splice(lost.indexOf("$ref"), 1);
  }
  return { schema: { ...merged }, lost, isEmpty };
}

type Both = { readonly value: Json } | "lost" | "empty";

function mergeKeyword(keyword: string, one: Json, other: Json): Both {
  if (larger.has(keyword) || smaller.has(keyword)) {
    if (typeof one !== "number" || typeof other !== "number") return "lost";
    return { value: larger.has(keyword) ? Math.max(one, other) : Math.min(one, other) };
  }
  switch (keyword) {
    case "type":
      return commonTypes(one, other);
    case "enum": {
      if (!isList(one) || !isList(other)) return "lost";
      const kept = one.filter((value) => other.some((known) => isSame(known, value)));
      return kept.length === 0 ? "empty" : { value: kept };
    }
    case "const":
      return "empty";
    case "properties":
    case "patternProperties":
      return isObject(one) && isObject(other) ? { value: mergeFields(one, other) } : "lost";
    case "required":
      return isList(one) && isList(other) ? { value: [...new Set([...one, ...other])] } : "lost";
    case "allOf":
      return isList(one) && isList(other) ? { value: [...one, ...other] } : "lost";
    case "additionalProperties":
      return { value: mergeOpenness(one, other) };
    case "items":
      return isObject(one) && isObject(other) ? { value: { allOf: [one, other] } } : "lost";
    case "uniqueItems":
      return { value: true };
    default:
      return "lost";
  }
}

function commonTypes(one: Json, other: Json): Both {
  const mine = isList(one) ? one : [one];
  const theirs = isList(other) ? other : [other];
  const common = new Set<Json>(mine.filter((type) => theirs.includes(type)));
  if (mine.includes("integer") && theirs.includes("number")) common.add("integer");
  if (mine.includes("number") && theirs.includes("integer")) common.add("integer");
  const [only] = common;
  if (only === undefined) return "empty";
  return { value: common.size === 1 ? only : [...common] };
}

function mergeFields(one: JsonSchema, other: JsonSchema): JsonSchema {
  const fields = Object.entries(other).map(([name, schema]): [string, Json] => {
    const own = Object.hasOwn(one, name) ? one[name] : undefined;
    return [name, own === undefined || isSame(own, schema) ? schema : { allOf: [own, schema] }];
  });
  // Entries, so that a field of any name is the object's own.
  return Object.fromEntries([...Object.entries(one), ...fields]);
}

function mergeOpenness(one: Json, other: Json): Json {
  if (one === false || other === false) return false;
  if (one === true) return other;
  return other === true ? one : { allOf: [one, other] };
}
