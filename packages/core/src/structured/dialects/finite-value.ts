import type { Json, JsonObject } from "../../contracts/json.ts";
import { isList, isObject, resolvePointer } from "./schema-reading.ts";

/**
 * Tells whether MFJS takes a schema for one whose values end. It looks at required fields alone, and one that ends is
 * enough for it; a list counts as if it had an item.
 */
export function hasFiniteValue(root: JsonObject): boolean {
  const finite = new Set<Json>();
  const open = new Set<Json>();
  let steps = 100_000;

  function isFinite(part: Json | undefined): boolean {
    steps -= 1;
    if (!isObject(part) || finite.has(part) || steps < 0) return true;
    if (open.has(part)) return false;
    open.add(part);
    const isEnding = ends(part);
    open.delete(part);
    if (isEnding) finite.add(part);
    return isEnding;
  }

  function ends(part: JsonObject): boolean {
    const { $ref: reference, anyOf, items, properties, required } = part;
    if (typeof reference === "string") return isFinite(resolvePointer(root, reference));
    if (anyOf !== undefined && isList(anyOf)) return anyOf.some((branch) => isFinite(branch));
    if (items !== undefined) return isFinite(items);
    if (!isObject(properties) || required === undefined || !isList(required)) return true;
    const needed = required.filter((name) => typeof name === "string");
    return needed.length === 0 || needed.some((name) => isFinite(properties[name]));
  }

  return isFinite(root);
}
