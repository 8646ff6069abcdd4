import type { Json, JsonSchema } from "../contracts/json.ts";
import { MARKER, type Marker } from "../contracts/schema.ts";
import { durationText } from "../spec/text/duration-text.ts";
import { isJsonList, isJsonObject } from "../spec/document/options-context.ts";
import {
  choicesOf,
  markerOf,
  otherKeysOf,
  propertiesOf,
  variantsOf,
} from "../spec/document/schema-parts.ts";
import { closedMap, orSubstituted, reference } from "./schema-forms.ts";

/** A time with its unit. */
const DURATION: JsonSchema = {
  type: "string",
  pattern: "^\\d{1,15}(\\.\\d{1,9})?(ms|s|m|h|d)$",
};

/** A time that is longer than none. */
const TIME_THAT_LASTS: JsonSchema = {
  type: "string",
  pattern: "^(?!0+(\\.0+)?[a-z])\\d{1,15}(\\.\\d{1,9})?(ms|s|m|h|d)$",
};

/** What a spec may write where a plugin, or core, declares an option: units instead of milliseconds, text instead of expressions. */
function optionSchema(schema: JsonSchema): JsonSchema {
  const form = formOf(schema);
  const { description } = schema;
  const standard = defaultOf(schema);
  return {
    ...(typeof description === "string" ? { description } : {}),
    ...(standard === undefined ? {} : { default: standard }),
    ...form,
  };
}

/** The options of a plugin, by key. */
export function optionSchemas(options: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    [...propertiesOf(options)].map(([key, value]) => [key, optionSchema(value)]),
  );
}

/** The options that a spec must write: those without a default. */
export function requiredOptions(options: JsonSchema): readonly string[] {
  const required = isJsonList(options["required"]) ? options["required"].map(String) : [];
  const properties = propertiesOf(options);
  return required.filter((key) => !mayBeLeftOut(properties.get(key) ?? {}));
}

// An object with nothing but defaults inside need not be written.
function mayBeLeftOut(schema: JsonSchema): boolean {
  const marker = markerOf(schema);
  // Core fills in the known bound of the list.
  const isFilled = marker?.kind === "count" && marker.boundOf !== undefined;
  if (isFilled || schema["default"] !== undefined) return true;
  const isPlainMap = schema["type"] === "object" && marker === undefined;
  return isPlainMap && propertiesOf(schema).size > 0 && requiredOptions(schema).length === 0;
}

function formOf(schema: JsonSchema): JsonSchema {
  const marker = markerOf(schema);
  if (marker !== undefined) return markedForm(marker, schema);
  const choices = choicesOf(schema);
  if (choices !== undefined) return orSubstituted({ enum: [...choices] });
  const variants = variantsOf(schema);
  if (variants !== undefined) return unionForm(variants);
  switch (schema["type"]) {
    case "object":
      return orSubstituted(objectForm(schema));
    case "array":
      return orSubstituted(arrayForm(schema));
    case "string":
      return textForm(schema);
    case "number":
    case "integer":
      return orSubstituted(pick(schema, ["type", ...BOUNDS]));
    case "boolean":
      return orSubstituted({ type: "boolean" });
    default:
      return {};
  }
}

function markedForm(marker: Marker, schema: JsonSchema): JsonSchema {
  const mark = { [MARKER]: { ...marker } };
  switch (marker.kind) {
    case "duration":
      return {
        ...orSubstituted(schema["exclusiveMinimum"] === 0 ? TIME_THAT_LASTS : DURATION),
        ...mark,
      };
    case "count":
      return { ...countForm(marker.boundOf === undefined ? schema : { minimum: 1 }), ...mark };
    case "checks":
      return reference("checks");
    case "fields":
      return reference("fields");
    case "json":
      return {};
    case "memory":
      return { type: "string", [MARKER]: { kind: "name", of: "memory" } };
    case "expression":
      return { type: marker.result === "bool" ? ["string", "boolean"] : "string", ...mark };
    default:
      return { type: "string", ...mark };
  }
}

/** A count: plain, or text like `200k`. */
function countForm(schema: JsonSchema = { minimum: 0 }): JsonSchema {
  return orSubstituted(
    { type: "integer", ...pick(schema, BOUNDS) },
    { type: "string", pattern: "^\\d{1,15}(\\.\\d{1,6})?[kM]$" },
  );
}

// No null in a spec: a variant that is null alone cannot be written.
function unionForm(variants: readonly JsonSchema[]): JsonSchema {
  const written = variants.filter((variant) => variant["type"] !== "null").map(optionSchema);
  return { anyOf: written.flatMap((variant) => anyOfAlone(variant) ?? [variant]) };
}

function anyOfAlone(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const inner = schema["anyOf"];
  return Object.keys(schema).length === 1 && isJsonList(inner)
    ? inner.filter(isJsonObject)
    : undefined;
}

function objectForm(schema: JsonSchema): JsonSchema {
  const closed = closedMap(optionSchemas(schema), requiredOptions(schema));
  const others = otherKeysOf(schema);
  if (others === undefined) return closed;
  return { ...closed, additionalProperties: others === true ? true : optionSchema(others) };
}

function arrayForm(schema: JsonSchema): JsonSchema {
  const items = schema["items"];
  return {
    type: "array",
    ...(isJsonObject(items) ? { items: optionSchema(items) } : {}),
    ...pick(schema, ["minItems", "maxItems", "uniqueItems"]),
  };
}

function textForm(schema: JsonSchema): JsonSchema {
  const text = { type: "string", ...pick(schema, ["minLength", "maxLength", "pattern"]) };
  return schema["pattern"] === undefined ? text : orSubstituted(text);
}

// Durations are milliseconds in the code, units in a spec.
function defaultOf(schema: JsonSchema): Json | undefined {
  const standard = schema["default"];
  return markerOf(schema)?.kind === "duration" && typeof standard === "number"
    ? durationText(standard)
    : standard;
}

const BOUNDS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
] as const;

function pick(schema: JsonSchema, keys: readonly string[]): JsonSchema {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = schema[key];
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}
