import type { Json, JsonSchema } from "../../contracts/json.ts";
import { childPath, nodeFromJson, toJson, type MapNode, type SpecNode } from "../text/spec-node.ts";
import { exampleMap } from "./example-value.ts";
import { labelOf, shownValue, writeInstead } from "./node-text.ts";
import {
  pointerTo,
  type OptionsContext,
  type OptionsOwner,
  type OptionsReading,
  type Reader,
} from "./options-context.ts";
import { readMarked } from "./read-marked.ts";
import { readBoolean, readBoundedText, readChoice, readNumber } from "./read-scalar.ts";
import { choicesOf, markerOf, otherKeysOf, propertiesOf, variantsOf } from "./schema-parts.ts";
import { refuseSecret } from "./read-secret.ts";
import { hasAllowedLength } from "./list-length.ts";
import { readUnion } from "./read-union.ts";
import { reportMissing, reportUnknown } from "./report-options.ts";

/**
 * Reads a map of the spec against the schema of some options: plain JSON with defaults filled in, durations in
 * milliseconds, paths absolute. What does not fit is reported and left out.
 */
export function readOptions(
  node: MapNode,
  schema: JsonSchema,
  owner: OptionsOwner,
  context: OptionsContext,
): OptionsReading {
  const reader = openReader(owner, context);
  const value = readMap(node, schema, "", reader);
  const { templates, expressions, reads } = reader;
  return { value, templates, expressions, reads };
}

/** A reader of values that has read nothing yet. */
export function openReader(owner: OptionsOwner, context: OptionsContext): Reader {
  return { context, owner, templates: new Map(), expressions: new Map(), reads: [] };
}

/** Reads one value against its schema; undefined when an error was reported. */
export function readValue(
  node: SpecNode,
  schema: JsonSchema,
  pointer: string,
  reader: Reader,
): Json | undefined {
  const { diagnostics } = reader.context;
  if (node.kind === "scalar" && node.isUnset === true) return undefined;
  const marker = markerOf(schema);
  if (marker !== undefined) return readMarked(node, marker, schema, pointer, reader);
  const choices = choicesOf(schema);
  if (choices !== undefined) return readChoice(node, choices, diagnostics);
  const variants = variantsOf(schema);
  if (variants !== undefined)
    return readUnion(
      node,
      variants,
      (variant, trial) => readValue(node, variant, pointer, trial),
      reader,
    );
  switch (schema["type"]) {
    case "object":
      return readObject(node, schema, pointer, reader);
    case "array":
      return readList(node, schema, pointer, reader);
    case "string":
      return refuseSecret(node, diagnostics)
        ? undefined
        : readBoundedText(node, schema, diagnostics);
    case "number":
    case "integer":
      return readNumber(node, schema, diagnostics);
    case "boolean":
      return readBoolean(node, diagnostics);
    case "null":
      if (node.kind === "scalar" && node.isNull === true) return null;
      diagnostics.error(
        "LW-VALUE-TYPE",
        node,
        `\`${labelOf(node)}\` must be left out`,
        "delete it",
      );
      return undefined;
    default:
      return refuseSecret(node, diagnostics) ? undefined : toJson(node);
  }
}

function readObject(
  node: SpecNode,
  schema: JsonSchema,
  pointer: string,
  reader: Reader,
): Json | undefined {
  if (node.kind === "map") return readMap(node, schema, pointer, reader);
  const message = `\`${labelOf(node)}\` is a map, not ${shownValue(node)}`;
  const repair = writeInstead(node, exampleMap(schema));
  reader.context.diagnostics.error("LW-VALUE-MAP-EXPECTED", node, message, repair);
  return undefined;
}

function readMap(
  node: MapNode,
  schema: JsonSchema,
  pointer: string,
  reader: Reader,
): { readonly [key: string]: Json } {
  const properties = propertiesOf(schema);
  const others = otherKeysOf(schema);
  const result: Record<string, Json> = {};
  for (const [key, { key: keyNode, value }] of node.entries) {
    const found = properties.get(key) ?? (others === true ? {} : others);
    if (found === undefined) reportUnknown(keyNode, key, [...properties.keys()], pointer, reader);
    else setProperty(result, key, readValue(value, found, pointerTo(pointer, key), reader));
  }
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  for (const [key, property] of properties) {
    if (node.entries.has(key)) continue;
    const fallback = defaultOf(property, required.includes(key));
    if (fallback !== undefined)
      setProperty(result, key, readDefault(fallback, property, key, node, pointer, reader));
    else if (required.includes(key) && !isFilledIn(property))
      reportMissing(node, key, property, pointer, reader);
  }
  return result;
}

// Core fills in the bound of a list where it is known.
function isFilledIn(schema: JsonSchema): boolean {
  const marker = markerOf(schema);
  return marker?.kind === "count" && marker.boundOf !== undefined;
}

// A default is written as the code wants it (milliseconds), except for text that core must parse.
function readDefault(
  value: Json,
  schema: JsonSchema,
  key: string,
  owner: MapNode,
  pointer: string,
  reader: Reader,
): Json | undefined {
  const kind = markerOf(schema)?.kind;
  const isParsed =
    kind === "expression" ||
    kind === "template" ||
    kind === "checks" ||
    kind === "path" ||
    kind === "spec" ||
    isPlainMap(schema);
  if (!isParsed && !holdsMarkers(schema)) return value;
  if (kind === "duration" || kind === "count" || kind === "fields") return value;
  return readValue(
    nodeFromJson(value, owner, childPath(owner.path, key)),
    schema,
    pointerTo(pointer, key),
    reader,
  );
}

// An object with nothing but defaults inside need not be written.
function defaultOf(schema: JsonSchema, isRequired: boolean): Json | undefined {
  if (schema["default"] !== undefined) return schema["default"];
  if (!isRequired || !isPlainMap(schema)) return undefined;
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const properties = propertiesOf(schema);
  const isWhole = required.every(
    (key) => defaultOf(properties.get(String(key)) ?? {}, true) !== undefined,
  );
  return isWhole && properties.size > 0 ? {} : undefined;
}

function isPlainMap(schema: JsonSchema): boolean {
  return schema["type"] === "object" && markerOf(schema) === undefined;
}

function holdsMarkers(schema: JsonSchema): boolean {
  return (variantsOf(schema) ?? []).some((variant) => {
    const kind = markerOf(variant)?.kind;
    return kind === "template" || kind === "expression";
  });
}

function readList(
  node: SpecNode,
  schema: JsonSchema,
  pointer: string,
  reader: Reader,
): readonly Json[] | undefined {
  const { diagnostics } = reader.context;
  if (node.kind !== "list") {
    const repair = writeInstead(node, `[${node.kind === "scalar" ? node.text : "..."}]`);
    diagnostics.error(
      "LW-VALUE-LIST-EXPECTED",
      node,
      `\`${labelOf(node)}\` is a list, not ${shownValue(node)}`,
      repair,
    );
    return undefined;
  }
  const items = schema["items"];
  const itemSchema =
    typeof items === "object" && items !== null && !Array.isArray(items)
      ? (items as JsonSchema)
      : {};
  const values = node.items.map((item, index) =>
    readValue(item, itemSchema, pointerTo(pointer, index), reader),
  );
  const kept = values.filter((value) => value !== undefined);
  return hasAllowedLength(node, schema, kept, diagnostics) ? kept : undefined;
}

function setProperty(target: Record<string, Json>, key: string, value: Json | undefined): void {
  if (value === undefined) return;
  // To assign is much faster, and sets the prototype under this one name alone.
  if (key !== "__proto__") target[key] = value;
  else
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
}
