import type { Json, JsonObject, JsonSchema } from "../../contracts/json.ts";
import { type DialectPass, note, type Place } from "./dialect-pass.ts";
import { isList, isObject } from "./schema-reading.ts";

type Compile = (pass: DialectPass, schema: Json, place: Place) => JsonSchema;

/** Writes what a list holds; places of their own schemas become one schema that fits each of them. */
export function compileArray(
  pass: DialectPass,
  schema: JsonObject,
  place: Place,
  compile: Compile,
): JsonSchema {
  const below = { ...place, path: `${place.path}[]`, depth: place.depth + 1 };
  const { places, rest } = partsOf(schema);
  if (schema["items"] !== undefined && !isPart(schema["items"])) {
    note(pass.rejected, place, "items", "is not a schema");
    return {};
  }
  if (places.length === 0) {
    if (rest === false) note(pass.lossy, place, "items", "that a list is empty can't be said");
    if (rest !== undefined && typeof rest !== "boolean")
      return { items: compile(pass, rest, below) };
    if (pass.rules.any === undefined)
      note(pass.rejected, place, "items", "a list of any values can't be said");
    return {};
  }
  note(pass.lossy, place, "prefixItems", "that each place has its own schema can't be said");
  const longest = schema["maxItems"];
  const isFixed = rest === false || (typeof longest === "number" && longest <= places.length);
  if (isFixed) return { items: compile(pass, { anyOf: places }, below) };
  if (rest === undefined || rest === true) {
    if (pass.rules.any === undefined)
      note(pass.rejected, place, "items", "a list of any values can't be said");
    return {};
  }
  return { items: compile(pass, { anyOf: [...places, rest] }, below) };
}

function isPart(value: Json): boolean {
  return isObject(value) || typeof value === "boolean" || (isList(value) && value.length > 0);
}

interface ListParts {
  readonly places: readonly Json[];
  readonly rest: Json | undefined;
}

function partsOf(schema: JsonObject): ListParts {
  const { prefixItems, items, additionalItems } = schema;
  if (isList(prefixItems)) return { places: prefixItems, rest: items };
  if (isList(items)) return { places: items, rest: additionalItems };
  return { places: [], rest: items };
}
