import type { Json, JsonObject, JsonSchema } from "../../contracts/json.ts";
import {
  allowedValues,
  isList,
  isObject,
  isOfType,
  isSame,
  resolvePointer,
  typesOf,
} from "./schema-reading.ts";

/** A value without the nulls that stand for what is left out, and whether it then has the shape of its schema. */
interface Undone {
  readonly value: Json;
  readonly fits: boolean;
}

/** Parts within parts, at most: below, a value is left as it is. */
const maxDepth = 400;

/**
 * Takes each null out of an answer that stands for an optional field: one that its schema does not require and does not
 * let be null. Where branches of a union differ, the first one counts whose shape the answer then has.
 */
export function withoutNulls(answer: Json, schema: JsonSchema): Json {
  let steps = 200_000;

  function undo(value: Json, part: Json | undefined, depth: number): Undone {
    steps -= 1;
    if (part === undefined || part === true || depth > maxDepth || steps < 0)
      return { value, fits: true };
    if (!isObject(part)) return { value, fits: false };
    let current = value;
    let fits = isOfKind(value, part);
    for (const group of groupsOf(schema, part)) {
      const tried = group.map((branch) => undo(current, branch, depth + 1));
      const chosen = tried.find((each) => each.fits);
      if (chosen === undefined) fits = false;
      else current = chosen.value;
    }
    if (!fits) return { value, fits };
    if (isList(current)) return undoList(current, part, depth);
    return isObject(current) ? undoObject(current, part, depth) : { value: current, fits };
  }

  function undoList(value: readonly Json[], part: JsonObject, depth: number): Undone {
    const { prefixItems, items, additionalItems } = part;
    const places = isList(prefixItems) ? prefixItems : isList(items) ? items : [];
    const rest = isList(items) ? additionalItems : items;
    const each = value.map((item, index) => undo(item, places[index] ?? rest, depth + 1));
    return { value: each.map((done) => done.value), fits: each.every((done) => done.fits) };
  }

  function undoObject(value: JsonObject, part: JsonObject, depth: number): Undone {
    const fields = isObject(part["properties"]) ? part["properties"] : {};
    const required = isList(part["required"]) ? part["required"] : [];
    const others = part["additionalProperties"];
    const kept: [string, Json][] = [];
    let fits = required.every((name) => typeof name === "string" && Object.hasOwn(value, name));
    for (const [name, inner] of Object.entries(value)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const isAbsent = inner === null && field !== undefined && !required.includes(name);
      if (isAbsent && !undo(null, field, depth + 1).fits) continue;
      const isPattern = part["patternProperties"] !== undefined;
      const done = undo(inner, field ?? (isPattern ? undefined : others), depth + 1);
      fits &&= done.fits;
      kept.push([name, done.value]);
    }
    return { value: Object.fromEntries(kept), fits };
  }

  return undo(answer, schema, 0).value;
}

/** The schemas that a value must fit beside: of each group, one. */
function groupsOf(root: JsonSchema, part: JsonObject): readonly (readonly Json[])[] {
  const { $ref: reference, allOf, anyOf, oneOf } = part;
  const target = typeof reference === "string" ? resolvePointer(root, reference) : undefined;
  return [
    ...(target === undefined ? [] : [[target]]),
    ...(isList(allOf) ? allOf.map((each) => [each]) : []),
    ...(isList(anyOf) ? [anyOf] : []),
    ...(isList(oneOf) ? [oneOf] : []),
  ];
}

function isOfKind(value: Json, part: JsonObject): boolean {
  const types = part["type"] === undefined ? undefined : typesOf(part);
  if (types !== undefined && !types.some((type) => isOfType(value, type))) return false;
  const values = allowedValues(part);
  return values === undefined || values.some((allowed) => isSame(allowed, value));
}
