import type { Json, JsonObject, JsonSchema } from "../../contracts/json.ts";
import { type DialectPass, note, type Place } from "./dialect-pass.ts";
import { namesOf } from "./expand-schema.ts";
import { isList, isObject } from "./schema-reading.ts";

type Compile = (pass: DialectPass, schema: Json, place: Place) => JsonSchema;

const conditions = ["if", "then", "else", "dependentSchemas", "dependencies"];

/** What is known of an object before it is written. */
interface ObjectParts {
  readonly fields: ReadonlyMap<string, JsonSchema>;
  readonly required: readonly string[];
  /** Whether fields exist that the wire does not name, so that it may not forbid others. */
  readonly hasUnnamed: boolean;
}

/** Writes the fields of an object. */
export function compileObject(
  pass: DialectPass,
  schema: JsonObject,
  place: Place,
  compile: Compile,
): JsonSchema {
  const { properties, required, additionalProperties: others } = schema;
  if (properties !== undefined && !isObject(properties))
    note(pass.rejected, place, "properties", "is not an object of schemas");
  if (required !== undefined && !isNames(required))
    note(pass.rejected, place, "required", "is not a list of names");
  if (others !== undefined && typeof others !== "boolean" && !isObject(others))
    note(pass.rejected, place, "additionalProperties", "is not a schema");
  const parts = readParts(pass, schema, place, compile);
  const openness = pass.rules.isClosed
    ? closedObject(pass, schema, parts, place)
    : openObject(pass, schema, parts, place, compile);
  return writeFields(pass, schema, parts, openness, place);
}

function isNames(value: Json): value is readonly string[] {
  return isList(value) && value.every((name) => typeof name === "string" && name !== "");
}

function readParts(
  pass: DialectPass,
  schema: JsonObject,
  place: Place,
  compile: Compile,
): ObjectParts {
  const fields = new Map<string, JsonSchema>();
  const given = isObject(schema["properties"]) ? schema["properties"] : {};
  let hasUnnamed = false;
  for (const [name, field] of Object.entries(given)) {
    const path = place.path === "" ? name : `${place.path}.${name}`;
    const below = { ...place, path, depth: place.depth + 1 };
    if (isReserved(pass, name, place)) {
      note(pass.lossy, below, "properties", "has a name that no field may have");
      hasUnnamed = true;
    } else if (field === false) {
      if (!pass.rules.isClosed && schema["additionalProperties"] !== false)
        note(pass.lossy, below, "false", "that a field is forbidden can't be said");
    } else fields.set(name, compile(pass, field, below));
  }
  const patterns = schema["patternProperties"];
  if (isObject(patterns) && Object.keys(patterns).length > 0) {
    note(pass.lossy, place, "patternProperties", "can't be said on the wire");
    hasUnnamed = true;
  }
  const said = conditions.filter((keyword) => schema[keyword] !== undefined);
  for (const keyword of said.filter((key) => key.startsWith("depend")))
    note(pass.lossy, place, keyword, "can't be said on the wire");
  const named = said.flatMap((keyword) => namesOf(schema[keyword] ?? null, keyword));
  if (schema["additionalProperties"] !== false && named.some((name) => !fields.has(name)))
    hasUnnamed = true;
  const required = isNames(schema["required"] ?? null) ? (schema["required"] as string[]) : [];
  return { fields, required: [...new Set(required)], hasUnnamed };
}

/** A slash in the name of a field of a definition would break the references to it. */
function isReserved(pass: DialectPass, name: string, place: Place): boolean {
  if (pass.rules.reservedNames.size === 0) return false;
  return pass.rules.reservedNames.has(name) || (place.definition !== "#" && name.includes("/"));
}

/** The object of a dialect that closes each object: what it would shut out makes the schema unusable. */
function closedObject(
  pass: DialectPass,
  schema: JsonObject,
  { fields, required, hasUnnamed }: ObjectParts,
  place: Place,
): JsonSchema {
  const others = schema["additionalProperties"];
  const isOpen = others === true || (isObject(others) && Object.keys(others).length === 0);
  if (isObject(others) && !isOpen)
    note(pass.rejected, place, "additionalProperties", "fields of any name can't be said");
  else if (fields.size === 0 && others !== false && schema["properties"] === undefined)
    note(pass.rejected, place, "properties", "an object of any fields can't be said");
  else if (isOpen)
    note(pass.lossy, place, "additionalProperties", "is closed on the wire: no further fields");
  if (hasUnnamed)
    note(pass.rejected, place, "properties", "fields that are not named can't be said");
  for (const name of required.filter((known) => !fields.has(known)))
    note(pass.rejected, place, "required", `\`${name}\` is required and not described`);
  return { additionalProperties: false };
}

function openObject(
  pass: DialectPass,
  schema: JsonObject,
  { fields, hasUnnamed }: ObjectParts,
  place: Place,
  compile: Compile,
): JsonSchema {
  const others = schema["additionalProperties"];
  const path = place.path === "" ? "*" : `${place.path}.*`;
  const isBound = others === false || (isObject(others) && Object.keys(others).length > 0);
  if (isBound && hasUnnamed) {
    note(pass.lossy, place, "additionalProperties", "would forbid fields that can't be named here");
  } else if (others === false) return { additionalProperties: false };
  else if (isObject(others) && isBound)
    return {
      additionalProperties: compile(pass, others, { ...place, path, depth: place.depth + 1 }),
    };
  const mustSay = others !== undefined || hasUnnamed || fields.size === 0;
  return pass.rules.isClosedByDefault && mustSay ? { additionalProperties: true } : {};
}

function writeFields(
  pass: DialectPass,
  schema: JsonObject,
  { fields, required }: ObjectParts,
  openness: JsonSchema,
  place: Place,
): JsonSchema {
  const kept = required.filter((name) => fields.has(name));
  if (!pass.rules.isClosed)
    for (const name of required.filter((known) => !fields.has(known)))
      note(pass.lossy, place, "required", `\`${name}\` is required and not described`);
  const optional = new Set([...fields.keys()].filter((name) => !kept.includes(name)));
  const isNulled = pass.rules.isAllRequired;
  const written = [...fields].map(([name, field]): [string, JsonSchema] => {
    if (!isNulled || !optional.has(name)) return [name, field];
    const path = place.path === "" ? name : `${place.path}.${name}`;
    const message = "is optional: sent as required, and null where it is left out";
    note(pass.lossy, { path }, "required", message);
    return [name, nullable(pass, field)];
  });
  const names = isNulled ? [...fields.keys()] : kept;
  return {
    ...(written.length > 0 || schema["properties"] !== undefined || pass.rules.isClosed
      ? { properties: Object.fromEntries(written) }
      : {}),
    ...(names.length > 0 || pass.rules.isAllRequired ? { required: names } : {}),
    ...openness,
  };
}

/** A schema that takes null too. */
function nullable(pass: DialectPass, schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0 || takesNull(schema)) return schema;
  const { title, description, ...rest } = schema;
  const words = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
  const branches = isList(rest["anyOf"]) ? rest["anyOf"] : undefined;
  if (branches !== undefined) return { ...words, anyOf: [...branches, { type: "null" }] };
  const { type, enum: values, const: only } = rest;
  const isSimple = typeof type === "string" && !pass.rules.splitsTypes && only === undefined;
  if (isSimple && type !== "object" && type !== "array")
    return {
      ...words,
      ...rest,
      type: [type, "null"],
      ...(isList(values) ? { enum: [...values, null] } : {}),
    };
  return { ...words, anyOf: [rest, { type: "null" }] };
}

function takesNull(schema: JsonSchema): boolean {
  const { type, anyOf } = schema;
  if (type === "null" || (isList(type) && type.includes("null"))) return true;
  return isList(anyOf) && anyOf.some((branch) => isObject(branch) && takesNull(branch));
}
