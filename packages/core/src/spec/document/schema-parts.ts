import type { Json, JsonSchema } from "../../contracts/json.ts";
import { MARKER, type Marker } from "../../contracts/schema.ts";
import { parseCount, parseDuration } from "../text/units.ts";
import type { SpecNode } from "../text/spec-node.ts";
import { isJsonList, isJsonObject } from "./options-context.ts";
import { isFromEnvironment } from "./node-text.ts";

/** The marker of a schema, or undefined. */
export function markerOf(schema: JsonSchema): Marker | undefined {
  const marker = schema[MARKER];
  return isJsonObject(marker) ? (marker as unknown as Marker) : undefined;
}

/** The variants of a union, or undefined. */
export function variantsOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const variants = schema["anyOf"] ?? schema["oneOf"];
  return isJsonList(variants) ? variants.filter(isJsonObject) : undefined;
}

/** The allowed values of a schema that lists them, or undefined; also of a union of literals. */
export function choicesOf(schema: JsonSchema): readonly Json[] | undefined {
  if (isJsonList(schema["enum"])) return schema["enum"];
  if (schema["const"] !== undefined) return [schema["const"]];
  const variants = variantsOf(schema);
  if (variants === undefined || !variants.every((variant) => variant["const"] !== undefined))
    return undefined;
  return variants.map((variant) => variant["const"] ?? null);
}

// Every stage asks for those of its strategy, and schemas never change.
const knownProperties = new WeakMap<JsonSchema, ReadonlyMap<string, JsonSchema>>();

/** The properties of an object schema. */
export function propertiesOf(schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const known = knownProperties.get(schema);
  if (known !== undefined) return known;
  const properties = schema["properties"];
  const entries = isJsonObject(properties) ? Object.entries(properties) : [];
  const found = new Map(
    entries.filter((pair): pair is [string, JsonSchema] => isJsonObject(pair[1])),
  );
  knownProperties.set(schema, found);
  return found;
}

/** The schema of keys that `properties` does not list: `true` for anything, undefined where the object is closed. */
export function otherKeysOf(schema: JsonSchema): JsonSchema | true | undefined {
  const patterns = schema["patternProperties"];
  if (isJsonObject(patterns)) {
    const first = Object.values(patterns)[0];
    if (isJsonObject(first)) return first;
  }
  const additional = schema["additionalProperties"];
  if (isJsonObject(additional)) return Object.keys(additional).length === 0 ? true : additional;
  const isAnyMap =
    schema["properties"] === undefined && patterns === undefined && additional === undefined;
  return additional === true || isAnyMap ? true : undefined;
}

/** Whether a value has the form that a schema wants, whatever its content. */
export function hasForm(node: SpecNode, schema: JsonSchema): boolean {
  const marker = markerOf(schema);
  if (marker !== undefined) return hasMarkedForm(node, marker);
  const choices = choicesOf(schema);
  if (choices !== undefined) return node.kind === "scalar" && choices.includes(node.value);
  const variants = variantsOf(schema);
  if (variants !== undefined) return variants.some((variant) => hasForm(node, variant));
  switch (schema["type"]) {
    case "object":
      return node.kind === "map";
    case "array":
      return node.kind === "list";
    case "string":
      return node.kind === "scalar" && typeof node.value === "string";
    case "number":
    case "integer":
      return node.kind === "scalar" && (typeof node.value === "number" || isFromEnvironment(node));
    case "boolean":
      return node.kind === "scalar" && (typeof node.value === "boolean" || isFromEnvironment(node));
    case "null":
      return node.kind === "scalar" && node.isNull === true;
    default:
      return true;
  }
}

function hasMarkedForm(node: SpecNode, { kind }: Marker): boolean {
  if (kind === "json") return true;
  if (kind === "checks") return node.kind === "list";
  if (kind === "fields") return node.kind === "map";
  if (node.kind !== "scalar") return false;
  if (kind === "count") return parseCount(node.value) !== undefined;
  if (kind === "duration") return parseDuration(node.value) !== undefined;
  return typeof node.value === "string";
}

/** Names what a schema wants, for messages. */
export function describeSchema(schema: JsonSchema): string {
  const marker = markerOf(schema);
  if (marker !== undefined) return markerWords[marker.kind];
  const choices = choicesOf(schema);
  if (choices !== undefined) return choices.map(String).join(" or ");
  const variants = variantsOf(schema);
  if (variants !== undefined) return variants.map(describeSchema).join(" or ");
  return typeWords[typeof schema["type"] === "string" ? schema["type"] : ""] ?? "a value";
}

const markerWords: Readonly<Record<Marker["kind"], string>> = {
  expression: "an expression",
  template: "text",
  duration: "a duration like 5s",
  count: "a count like 2000 or 200k",
  secret: "text",
  path: "a path",
  spec: "the path of a spec",
  checks: "a list of checks",
  memory: "the name of a memory",
  fields: "fields like { city: string }",
  json: "a value",
};

const typeWords: Readonly<Record<string, string>> = {
  object: "a map",
  array: "a list",
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  null: "null",
};
