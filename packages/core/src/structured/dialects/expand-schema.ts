import type { Json, JsonObject } from "../../contracts/json.ts";
import { type DialectPass, note, type Place, targetOf } from "./dialect-pass.ts";
import { mergeSchemas } from "./merge-schemas.ts";
import { isAnnotation, isList, isObject } from "./schema-reading.ts";

/** A schema whose references, conjunctions and unions are brought to one of three forms. */
export interface ExpandedSchema {
  readonly schema: JsonObject;
  readonly place: Place;
  /** The form that is a reference alone. */
  readonly reference?: string;
  /** The form that is a union alone. */
  readonly branches?: readonly Json[];
}

/** Brings a schema to one form: a reference, a union, or keywords without either. */
export function expandSchema(pass: DialectPass, schema: JsonObject, place: Place): ExpandedSchema {
  let current = schema;
  let here = place;
  // Each turn takes one reference or one conjunction away; a schema that never ends is caught by its references.
  for (let turn = 0; turn < 200; turn += 1) {
    if (current["$ref"] !== undefined) {
      const next = followReference(pass, current, here);
      if (next.reference !== undefined) return next;
      ({ schema: current, place: here } = next);
    } else if (current["allOf"] !== undefined) {
      ({ schema: current, place: here } = mergeParts(pass, current, here));
    } else return expandUnion(pass, current, here);
  }
  note(pass.rejected, here, "allOf", "is nested too deep");
  return { schema: {}, place: here };
}

function followReference(pass: DialectPass, schema: JsonObject, place: Place): ExpandedSchema {
  const { $ref: reference, ...others } = schema;
  const target = targetOf(pass, reference ?? null, place);
  if (target === undefined || typeof reference !== "string") return { schema: others, place };
  const hasOthers = Object.keys(others).some((keyword) => !isAnnotation(keyword));
  const isAgain = place.through.includes(reference);
  const mustStay = isAgain || (pass.rules.references === "kept" && !hasOthers && place.depth > 0);
  if (!mustStay) {
    const through = [...place.through, reference];
    const next = { ...place, through };
    return { schema: merge(pass, others, isObject(target) ? target : {}, next), place: next };
  }
  if (hasOthers) noteLost(pass, Object.keys(others), others, place);
  if (pass.rules.references === "kept") return { schema: others, place, reference };
  note(pass.rejected, place, "$ref", "leads back to itself, which can't be said");
  return { schema: {}, place };
}

function mergeParts(pass: DialectPass, schema: JsonObject, place: Place): ExpandedSchema {
  const { allOf, ...own } = schema;
  if (!isList(allOf)) {
    note(pass.rejected, place, "allOf", "is not a list of schemas");
    return { schema: own, place };
  }
  let merged: JsonObject = own;
  let here = place;
  for (const part of allOf) {
    const [resolved, next] = resolvePart(pass, part, here);
    here = next;
    if (resolved !== undefined) merged = merge(pass, merged, resolved, here);
  }
  return { schema: merged, place: here };
}

/** A part of a conjunction, with what it refers to in place of the reference. */
function resolvePart(
  pass: DialectPass,
  part: Json,
  place: Place,
): readonly [JsonObject | undefined, Place] {
  if (part === true) return [undefined, place];
  if (!isObject(part)) {
    note(pass.rejected, place, "allOf", "holds what is not a schema");
    return [undefined, place];
  }
  const { $ref: reference, ...others } = part;
  if (reference === undefined) return [part, place];
  const target = targetOf(pass, reference, place);
  if (typeof reference !== "string" || !isObject(target)) return [others, place];
  if (place.through.includes(reference)) {
    noteLost(pass, ["$ref"], part, place);
    return [others, place];
  }
  const next = { ...place, through: [...place.through, reference] };
  return [merge(pass, others, target, next), next];
}

function merge(pass: DialectPass, one: JsonObject, other: JsonObject, place: Place): JsonObject {
  const { schema, lost, isEmpty } = mergeSchemas(one, other);
  if (isEmpty) note(pass.rejected, place, "allOf", "asks for what no value can be");
  noteLost(pass, lost, other, place);
  return schema;
}

/** Notes keywords that are left out; where each object is closed, fields that they alone name would be impossible. */
function noteLost(
  pass: DialectPass,
  keywords: readonly string[],
  schema: JsonObject,
  place: Place,
): void {
  for (const keyword of keywords) {
    if (isAnnotation(keyword)) continue;
    note(pass.lossy, place, keyword, "can't be said together with what stands beside it");
    const value = schema[keyword];
    if (pass.rules.isClosedByDefault && value !== undefined && namesOf(value, keyword).length > 0)
      note(pass.rejected, place, keyword, "names fields that can't be said");
  }
}

/** The fields that a part of a schema names; `*` where a reference may name any. */
export function namesOf(part: Json, keyword = "", depth = 0): readonly string[] {
  if (keyword === "$ref" || depth > 20) return ["*"];
  if (isList(part)) return part.flatMap((inner) => namesOf(inner, "", depth + 1));
  if (!isObject(part)) return [];
  if (keyword === "properties") return Object.keys(part);
  return Object.entries(part).flatMap(([key, inner]) =>
    ["properties", "$ref", "then", "else", "if", "anyOf", "oneOf", "allOf"].includes(key) ||
    keyword === "dependentSchemas" ||
    keyword === "dependencies"
      ? namesOf(inner, key, depth + 1)
      : [],
  );
}

function expandUnion(pass: DialectPass, schema: JsonObject, place: Place): ExpandedSchema {
  const keyword = schema["anyOf"] === undefined ? "oneOf" : "anyOf";
  const { [keyword]: branches, ...beside } = schema;
  if (branches === undefined) return { schema, place };
  const { oneOf, ...siblings } = beside;
  if (oneOf !== undefined) noteLost(pass, ["oneOf"], { oneOf }, place);
  if (!isList(branches) || branches.length === 0) {
    note(pass.rejected, place, keyword, "is not a list of schemas");
    return { schema: siblings, place };
  }
  if (keyword === "oneOf" && branches.length > 1)
    note(pass.lossy, place, "oneOf", "is sent as `anyOf`: that only one may fit can't be said");
  if (Object.keys(siblings).every((key) => isAnnotation(key)))
    return { schema: siblings, place, branches };
  return {
    schema: wordsOf(siblings),
    place,
    branches: distribute(pass, siblings, branches, place),
  };
}

function wordsOf(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => isAnnotation(keyword)));
}

/** Puts what stands beside a union into each of its branches; a branch that then fits nothing is left out. */
function distribute(
  pass: DialectPass,
  siblings: JsonObject,
  branches: readonly Json[],
  place: Place,
): readonly Json[] {
  const shared = Object.fromEntries(
    Object.entries(siblings).filter(([keyword]) => !isAnnotation(keyword)),
  );
  return branches.flatMap((branch): readonly Json[] => {
    if (branch === true) return [shared];
    if (branch === false) return [];
    if (!isObject(branch)) return [branch];
    const { schema, lost, isEmpty } = mergeSchemas(branch, shared);
    noteLost(pass, lost, shared, place);
    return isEmpty ? [] : [schema];
  });
}
