import type { Json, JsonSchema } from "../../contracts/json.ts";
import type { Diagnostics } from "./diagnostic.ts";
import { enumValues, namedType, schemaOf } from "./field-schema.ts";
import { checkSchemaPatterns } from "./schema-patterns.ts";
import { shapeFromJsonSchema, type Shape } from "./shape.ts";
import { toJson, type MapNode, type ScalarNode, type SpecNode } from "./spec-node.ts";

/** One declared field. */
interface FieldDeclaration {
  readonly schema: JsonSchema;
  /** Whether it may be null, as declared by `type?`. */
  readonly optional: boolean;
  readonly default?: Json;
}

/** Declared fields and the closed JSON Schema of an object that holds them; every field without a default is required. */
export interface FieldsDeclaration {
  readonly fields: Readonly<Record<string, FieldDeclaration>>;
  readonly schema: JsonSchema;
}

/** Reads `{name: type | type? | [enum] | JSON Schema}`; undefined when anything in it is wrong, which is reported. */
export function readFields(
  node: SpecNode,
  diagnostics: Diagnostics,
): FieldsDeclaration | undefined {
  if (node.kind !== "map") {
    const suggestion = "write { name: string, count: integer? }";
    diagnostics.error("LW-VALUE-FIELDS", node, "fields are a map of names to types", suggestion);
    return undefined;
  }
  const fields: [string, FieldDeclaration][] = [];
  let isComplete = true;
  for (const [name, { key, value }] of node.entries) {
    const field = isFieldName(name, key, diagnostics) ? readField(value, diagnostics) : undefined;
    if (field === undefined) isComplete = false;
    else fields.push([name, field]);
  }
  if (!isComplete) return undefined;
  return { fields: Object.fromEntries(fields), schema: closedObject(fields) };
}

/** Returns the shape that expressions and templates see of declared fields. */
export function fieldsShape(declaration: FieldsDeclaration): Extract<Shape, { kind: "object" }> {
  const fields = Object.entries(declaration.fields).map(([name, field]): [string, Shape] => [
    name,
    shapeFromJsonSchema(field.schema),
  ]);
  return { kind: "object", fields: Object.fromEntries(fields) };
}

function closedObject(fields: readonly (readonly [string, FieldDeclaration])[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, field.schema])),
    required: fields.filter(([, field]) => field.default === undefined).map(([name]) => name),
    additionalProperties: false,
  };
}

function isFieldName(name: string, key: ScalarNode, diagnostics: Diagnostics): boolean {
  if (/^[\p{L}_][\p{L}\p{N}_]{0,63}$/u.test(name)) return true;
  const message = `\`${name}\` cannot name a field; names are letters, digits and underscores, at most 64`;
  const suggestion = /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name)
    ? `write \`${camelCase(name)}\``
    : undefined;
  diagnostics.error("LW-VALUE-FIELD-NAME", key, message, suggestion);
  return false;
}

function camelCase(name: string): string {
  return name.replaceAll(
    /-+(.)?/gu,
    (_match, letter: string | undefined) => letter?.toUpperCase() ?? "",
  );
}

function readField(node: SpecNode, diagnostics: Diagnostics): FieldDeclaration | undefined {
  if (node.kind === "list") {
    const values = enumValues(node, diagnostics);
    return values === undefined
      ? undefined
      : { schema: { type: "string", enum: values }, optional: false };
  }
  if (node.kind === "map") return readSchemaField(node, diagnostics);
  const type = namedType(node, diagnostics);
  return type === undefined ? undefined : { schema: type.schema, optional: type.optional };
}

function readSchemaField(node: MapNode, diagnostics: Diagnostics): FieldDeclaration | undefined {
  const schema = schemaOf(node, diagnostics);
  if (!checkSchemaPatterns(node, diagnostics) || schema === undefined) return undefined;
  const optional = shapeFromJsonSchema(schema).nullable === true;
  const given = node.entries.get("default");
  if (given === undefined) return { schema, optional };
  const value = toJson(given.value);
  if (fits(value, schema)) return { schema, optional, default: value };
  const shown = given.value.kind === "scalar" ? `\`${given.value.text}\`` : "the default";
  const wanted = Array.isArray(schema["enum"])
    ? `one of ${schema["enum"].join(", ")}`
    : typeName(schema);
  diagnostics.error(
    "LW-VALUE-FIELD-DEFAULT",
    given.value,
    `${shown} does not fit the field, which is ${wanted}`,
    defaultRepair(given.value, schema, wanted),
  );
  return undefined;
}

function defaultRepair(node: SpecNode, schema: JsonSchema, wanted: string): string {
  const another = `write \`default: ${exampleDefault(schema)}\`, or another value that is ${wanted}`;
  if (node.kind !== "scalar") return another;
  if (schema["type"] === "string" && typeof node.value !== "string")
    return `quote it: "${node.text}"`;
  const isQuotedNumber =
    typeof node.value === "string" &&
    node.value.trim() !== "" &&
    Number.isFinite(Number(node.value));
  return isQuotedNumber && (schema["type"] === "number" || schema["type"] === "integer")
    ? `remove the quotes: ${node.value}`
    : another;
}

const exampleDefaults: ReadonlyMap<string, string> = new Map([
  ["string", '"..."'],
  ["integer", "1"],
  ["number", "0.5"],
  ["boolean", "true"],
  ["array", "[]"],
]);

function exampleDefault(schema: JsonSchema): string {
  const allowed = schema["enum"];
  if (Array.isArray(allowed)) return String(allowed[0]);
  const [type] = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  return exampleDefaults.get(String(type)) ?? "{}";
}

function typeName(schema: JsonSchema): string {
  const type = schema["type"];
  if (Array.isArray(type)) return type.join(" or ");
  return typeof type === "string" ? type : "declared otherwise";
}

function fits(value: Json, schema: JsonSchema): boolean {
  if (Array.isArray(schema["enum"])) return schema["enum"].some((allowed) => allowed === value);
  const declared = schema["type"];
  if (declared === undefined) return true;
  const types: readonly Json[] = Array.isArray(declared) ? declared : [declared];
  return types.some((type) => isOfType(value, type));
}

function isOfType(value: Json, type: Json): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
    case "string":
    case "boolean":
      return typeof value === type;
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    default:
      return typeof value === "object" && value !== null && !Array.isArray(value);
  }
}
