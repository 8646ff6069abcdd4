import type { Json, JsonObject } from "../../contracts/json.ts";
import { hasFiniteValue } from "./finite-value.ts";
import { isList, isObject, isOfType, jsonTypes, resolvePointer } from "./schema-reading.ts";

/** Limits that the rules of MFJS leave to an endpoint. */
export interface MfjsLimits {
  /** Fields within fields. */
  readonly depth: number;
  readonly enumValues: number;
  readonly branches: number;
}

/** Limits that no endpoint is known to go below, the documented ones aside. */
export const generousLimits: MfjsLimits = { depth: 30, enumValues: 1_000, branches: 500 };

const words = ["title", "description"];
const onlyAtRoot = new Set(["$defs", "$id"]);
const ofAnyType = ["type", "enum", "default", ...words];
const ofType: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
  boolean: [],
  null: [],
  object: ["properties", "required", "additionalProperties"],
  array: ["items", "minItems", "maxItems"],
};
const reserved = new Set(["$defs", "$ref", "anyOf", "required", "additionalProperties"]);

/** The first rule of MFJS that a schema breaks, in words; undefined where it keeps all. */
export function mfjsFault(schema: Json, limits: MfjsLimits): string | undefined {
  if (!isObject(schema)) return "the schema is not an object";
  const root = schema;
  const open: Part[] = [{ schema, depth: 0, isRoot: true, isDefinition: false }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part.depth > limits.depth) return `more than ${limits.depth} fields within fields`;
    const fault = faultOfPart(root, part, limits);
    if (fault !== undefined) return fault;
    open.push(...partsWithin(part));
  }
  return hasFiniteValue(root) ? undefined : "only a value without end would fit";
}

interface Part {
  readonly schema: JsonObject;
  readonly depth: number;
  readonly isRoot: boolean;
  readonly isDefinition: boolean;
}

function partsWithin({ schema, depth, isDefinition }: Part): readonly Part[] {
  const { properties, items, additionalProperties, anyOf, $defs } = schema;
  const at = (list: readonly Json[], level: number, isIn: boolean): readonly Part[] =>
    list
      .filter((inner) => isObject(inner))
      .map((inner) => ({ schema: inner, depth: level, isRoot: false, isDefinition: isIn }));
  return [
    ...at(isObject(properties) ? Object.values(properties) : [], depth + 1, isDefinition),
    ...at(items === undefined ? [] : [items], depth, isDefinition),
    ...at(anyOf !== undefined && isList(anyOf) ? anyOf : [], depth, isDefinition),
    ...at(isObject($defs) ? Object.values($defs) : [], depth, true),
    ...at(
      isObject(additionalProperties) && Object.keys(additionalProperties).length > 0
        ? [additionalProperties]
        : [],
      depth,
      isDefinition,
    ),
  ];
}

function faultOfPart(root: JsonObject, part: Part, limits: MfjsLimits): string | undefined {
  const { schema, isRoot } = part;
  const keywords = Object.keys(schema).filter((keyword) => !isRoot || !onlyAtRoot.has(keyword));
  const misplaced = keywords.find((keyword) => onlyAtRoot.has(keyword));
  if (misplaced !== undefined) return `\`${misplaced}\` is not at the root`;
  if (schema["$id"] !== undefined && typeof schema["$id"] !== "string") return "`$id` is not text";
  const { description, title } = schema;
  if ([description, title].some((text) => text !== undefined && typeof text !== "string"))
    return "a title or description is not text";
  const defsFault = faultOfDefinitions(schema);
  if (defsFault !== undefined) return defsFault;
  for (const alone of ["$ref", "anyOf"]) {
    if (schema[alone] === undefined) continue;
    const beside = keywords.find((keyword) => keyword !== alone && !words.includes(keyword));
    if (beside !== undefined) return `\`${beside}\` stands beside \`${alone}\``;
    return alone === "$ref" ? faultOfReference(root, schema) : faultOfUnion(schema, limits);
  }
  if (isRoot && keywords.length === 0) return undefined;
  return faultOfTyped(part, keywords, limits);
}

function faultOfDefinitions(schema: JsonObject): string | undefined {
  const { $defs } = schema;
  if ($defs === undefined) return undefined;
  if (!isObject($defs)) return "`$defs` is not an object";
  for (const [name, definition] of Object.entries($defs)) {
    if (name === "" || name.includes("/")) return `a definition can't be called "${name}"`;
    if (!isObject(definition)) return `the definition \`${name}\` is not a schema`;
  }
  return undefined;
}

function faultOfReference(root: JsonObject, schema: JsonObject): string | undefined {
  const { $ref: reference } = schema;
  if (typeof reference !== "string") return "`$ref` is not text";
  const isLocal = reference === "#" || reference.startsWith("#/$defs/");
  if (isLocal && isObject(resolvePointer(root, reference))) return undefined;
  return `\`${reference}\` names no definition`;
}

function faultOfUnion({ anyOf }: JsonObject, limits: MfjsLimits): string | undefined {
  if (anyOf === undefined || !isList(anyOf)) return "`anyOf` is not a list";
  if (anyOf.length === 0 || anyOf.length > limits.branches)
    return `\`anyOf\` has ${anyOf.length} branches`;
  return anyOf.every((branch) => isObject(branch)) ? undefined : "a branch is not a schema";
}

function faultOfTyped(
  part: Part,
  keywords: readonly string[],
  limits: MfjsLimits,
): string | undefined {
  const { schema } = part;
  const { type } = schema;
  const types = type !== undefined && isList(type) ? type : [type ?? null];
  if (types.length === 0) return "`type` is empty";
  if (!types.every((each) => typeof each === "string" && jsonTypes.includes(each)))
    return "`type` is not a type or a list of types";
  const names = types as readonly string[];
  const [first = ""] = names;
  const known = new Set([...ofAnyType, ...(names.length > 1 ? [] : (ofType[first] ?? []))]);
  const odd = keywords.find((keyword) => !known.has(keyword));
  if (odd !== undefined) return `\`${odd}\` can't stand with this type`;
  return (
    faultOfEnum(schema, names, limits) ??
    (names.length > 1 ? undefined : (faultOfObject(part) ?? faultOfBounds(schema, first)))
  );
}

function faultOfEnum(
  schema: JsonObject,
  types: readonly string[],
  limits: MfjsLimits,
): string | undefined {
  const { enum: values } = schema;
  if (values === undefined) return undefined;
  if (!isList(values) || values.length === 0) return "`enum` is not a list of values";
  if (values.length > limits.enumValues) return `\`enum\` has ${values.length} values`;
  if (types.includes("object") || types.includes("array")) return "`enum` stands with this type";
  const isTyped = values.every(
    (value) =>
      types.some((type) => isOfType(value, type)) &&
      (typeof value !== "number" || Number.isFinite(value)),
  );
  return isTyped ? undefined : "a value of `enum` is not of its type";
}

function faultOfObject({ schema, isDefinition }: Part): string | undefined {
  const { properties, required, additionalProperties, items } = schema;
  if (items !== undefined && !isObject(items)) return "`items` is not a schema";
  if (
    additionalProperties !== undefined &&
    typeof additionalProperties !== "boolean" &&
    !isObject(additionalProperties)
  )
    return "`additionalProperties` is not a schema";
  if (properties !== undefined && !isObject(properties)) return "`properties` is not an object";
  for (const [name, field] of Object.entries(properties ?? {})) {
    if (name === "" || reserved.has(name)) return `no field can be called "${name}"`;
    if (isDefinition && name.includes("/")) return `no field can be called "${name}" here`;
    if (!isObject(field)) return `the field \`${name}\` is not a schema`;
  }
  if (required === undefined) return undefined;
  if (!isList(required)) return "`required` is not a list";
  const isNamed = required.every(
    (name) => typeof name === "string" && name !== "" && Object.hasOwn(properties ?? {}, name),
  );
  return isNamed ? undefined : "`required` names what `properties` does not";
}

function faultOfBounds(schema: JsonObject, type: string): string | undefined {
  for (const [least, most] of [
    ["minLength", "maxLength"],
    ["minItems", "maxItems"],
    ["minimum", "maximum"],
  ] as const) {
    for (const keyword of [least, most]) {
      const bound = schema[keyword];
      if (bound === undefined) continue;
      if (typeof bound !== "number") return `\`${keyword}\` is not a number`;
      const isCount = keyword !== "minimum" && keyword !== "maximum";
      if ((isCount || type === "integer") && !Number.isInteger(bound))
        return `\`${keyword}\` is not whole`;
      if (isCount && bound < 0) return `\`${keyword}\` is below 0`;
    }
    if (Number(schema[least] ?? 0) > Number(schema[most] ?? Number.POSITIVE_INFINITY))
      if (schema[least] !== undefined) return `\`${least}\` is above \`${most}\``;
  }
  return undefined;
}
