import type { Json, JsonObject, JsonSchema } from "../../contracts/json.ts";
import { compileArray } from "./compile-array-part.ts";
import { compileLeaves } from "./compile-leaf-keywords.ts";
import { compileObject } from "./compile-object-part.ts";
import {
  type DialectPass,
  definitionName,
  note,
  type Place,
  takePart,
  targetOf,
} from "./dialect-pass.ts";
import { expandSchema } from "./expand-schema.ts";
import {
  allowedValues,
  isAnnotation,
  isList,
  isObject,
  isOfType,
  jsonTypes,
  keywordsOfType,
  typesOf,
} from "./schema-reading.ts";

const unsayable: Readonly<Record<string, string>> = {
  not: "can't be said on the wire",
  if: "conditions can't be said on the wire",
};

/** Writes one part of a schema in the dialect of the pass. */
export function compilePart(pass: DialectPass, schema: Json, place: Place): JsonSchema {
  if (!takePart(pass, place)) return pass.rules.any ?? {};
  if (schema === true) return anything(pass, {}, place);
  if (schema === false) {
    note(pass.lossy, place, "false", "a part that fits nothing can't be said");
    return anything(pass, {}, place);
  }
  if (!isObject(schema)) {
    note(pass.rejected, place, "schema", "is not a schema");
    return anything(pass, {}, place);
  }
  const expanded = expandSchema(pass, schema, place);
  const here = expanded.place;
  if (expanded.reference !== undefined)
    return withWords(pass, schema, referTo(pass, expanded.reference, here), here);
  if (expanded.branches !== undefined) return union(pass, expanded.schema, expanded.branches, here);
  return plain(pass, expanded.schema, here);
}

function referTo(pass: DialectPass, reference: string, place: Place): JsonSchema {
  const calls = pass.calls.get(place.definition) ?? new Set<string>();
  pass.calls.set(place.definition, calls.add(reference));
  if (reference === "#") return { $ref: "#" };
  return { $ref: `#/$defs/${definitionName(pass, reference)}` };
}

function union(
  pass: DialectPass,
  schema: JsonObject,
  branches: readonly Json[],
  place: Place,
): JsonSchema {
  const below = { ...place, depth: place.depth + 1 };
  const written = branches.map((branch) => compilePart(pass, branch, below));
  const [only, ...others] = written;
  if (only === undefined) {
    note(pass.rejected, place, "anyOf", "leaves no branch that a value can fit");
    return anything(pass, schema, place);
  }
  if (others.length === 0) return withWords(pass, schema, only, place);
  return withWords(pass, schema, { anyOf: written.flatMap(branchesOf) }, place);
}

/** A union within a union is one union. */
function branchesOf(schema: JsonSchema): readonly Json[] {
  const keywords = Object.keys(schema);
  return keywords.length === 1 && isList(schema["anyOf"]) ? schema["anyOf"] : [schema];
}

function plain(pass: DialectPass, schema: JsonObject, place: Place): JsonSchema {
  noteUnsayable(pass, schema, place);
  const types = typesOf(schema);
  if (types === undefined) return anything(pass, schema, place);
  if (types.length === 0 || !types.every((type) => jsonTypes.includes(type)) || isOdd(schema)) {
    note(pass.rejected, place, "type", "is not a type or a list of types");
    return anything(pass, schema, place);
  }
  const values = allowedValues(schema);
  if (schema["enum"] !== undefined && !isList(schema["enum"]))
    note(pass.rejected, place, "enum", "is not a list of values");
  const used = types.filter(
    (type) => values === undefined || values.some((value) => isOfType(value, type)),
  );
  const distinct = used.filter((type) => !(type === "integer" && used.includes("number")));
  const [only] = distinct;
  if (only === undefined) {
    note(pass.rejected, place, "enum", "allows no value of its type");
    return withWords(pass, schema, ofType(pass, {}, types[0] ?? "string", place), place);
  }
  const isSplit =
    distinct.length > 1 &&
    (pass.rules.splitsTypes || distinct.includes("object") || distinct.includes("array"));
  if (isSplit)
    return withWords(
      pass,
      schema,
      { anyOf: distinct.map((type) => ofType(pass, schema, type, place)) },
      place,
    );
  return withWords(pass, schema, ofTypes(pass, schema, distinct, place), place);
}

function isOdd(schema: JsonObject): boolean {
  const named = schema["type"];
  return named !== undefined && typeof named !== "string" && !isList(named)
    ? true
    : isList(named) && named.some((type) => typeof type !== "string");
}

function ofTypes(
  pass: DialectPass,
  schema: JsonObject,
  types: readonly string[],
  place: Place,
): JsonSchema {
  const parts = types.map((type) => ofType(pass, schema, type, place));
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const listed = parts.map((part) => listedBy(part));
  const values = listed.every((list) => list !== undefined) ? { enum: listed.flat() } : {};
  const isWhole = allowedValues(schema) === undefined || values.enum !== undefined;
  if (!isWhole) note(pass.lossy, place, "enum", "can't be said for all of its types");
  const leaves = parts.map(({ type: _type, enum: _enum, const: _const, ...others }) => others);
  return { ...Object.assign({}, ...leaves), type: types, ...values };
}

function listedBy(part: JsonSchema): readonly Json[] | undefined {
  if (isList(part["enum"])) return part["enum"];
  if (part["const"] !== undefined) return [part["const"]];
  return part["type"] === "null" ? [null] : undefined;
}

function ofType(pass: DialectPass, schema: JsonObject, type: string, place: Place): JsonSchema {
  const values = valuesOf(pass, schema, type, place);
  const leaves = compileLeaves(pass, schema, type, place);
  const parts =
    type === "object"
      ? compileObject(pass, schema, place, compilePart)
      : type === "array"
        ? compileArray(pass, schema, place, compilePart)
        : {};
  return { type, ...values, ...leaves, ...parts };
}

function valuesOf(pass: DialectPass, schema: JsonObject, type: string, place: Place): JsonSchema {
  const values = allowedValues(schema)?.filter((value) => isOfType(value, type));
  const [only] = values ?? [];
  if (values === undefined || only === undefined) return {};
  const { enumTypes, enumLimits, keywords } = pass.rules;
  // A null stands for itself.
  if (type === "null") return {};
  if (!enumTypes.has(type)) {
    note(pass.lossy, place, "enum", `lists of ${type} values can't be said`);
    return {};
  }
  const characters = values.reduce<number>((sum, value) => sum + JSON.stringify(value).length, 0);
  if (
    values.length > enumLimits.values ||
    (values.length > 250 && characters > enumLimits.characters)
  ) {
    note(pass.lossy, place, "enum", `${values.length} values are more than can be said`);
    return {};
  }
  const isOnly = values.length === 1 && schema["const"] !== undefined && keywords.has("const");
  return isOnly ? { const: only } : { enum: values };
}

/** Any value at all, where a dialect can say it. */
function anything(pass: DialectPass, schema: JsonObject, place: Place): JsonSchema {
  const any = pass.rules.any;
  if (any === undefined)
    note(pass.rejected, place, "type", "a part that takes any value can't be said");
  return withWords(pass, schema, any ?? {}, place);
}

function withWords(
  pass: DialectPass,
  schema: JsonObject,
  written: JsonSchema,
  place: Place,
): JsonSchema {
  const isReference = written["$ref"] !== undefined;
  const words: Record<string, Json> = {};
  for (const keyword of ["title", "description"]) {
    const value = schema[keyword];
    if (value === undefined || isReference) continue;
    if (typeof value === "string") {
      if (pass.rules.keywords.has(keyword)) words[keyword] = value;
    } else note(pass.lossy, place, keyword, "is not text");
  }
  return { ...written, ...words };
}

const structural = new Set(["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"]);
const typed = new Set(Object.values(keywordsOfType).flat());

function noteUnsayable(pass: DialectPass, schema: JsonObject, place: Place): void {
  for (const keyword of Object.keys(schema)) {
    if (keyword === "then" || keyword === "else") continue;
    if (structural.has(keyword) || typed.has(keyword) || isAnnotation(keyword)) continue;
    note(pass.lossy, place, keyword, unsayable[keyword] ?? "is not a keyword that can be said");
  }
}

/** Writes the definitions that were called for, and those that they call for in turn. */
export function compileDefinitions(pass: DialectPass): JsonSchema {
  const written: [string, JsonSchema][] = [];
  // Definitions that a definition calls for are added while this goes on.
  for (const [reference, name] of pass.names) {
    const place = { path: `#${name}`, through: [reference], depth: 1, definition: reference };
    const target = targetOf(pass, reference, place) ?? {};
    written.push([name, compilePart(pass, target, place)]);
  }
  return Object.fromEntries(written);
}
