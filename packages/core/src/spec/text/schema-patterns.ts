import type { Diagnostics } from "./diagnostic.ts";
import { faultOfPattern } from "./safe-pattern.ts";
import type { MapNode, SpecNode } from "./spec-node.ts";

const holdsSchemas = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
const holdsData = new Set(["const", "default", "enum", "examples"]);

/**
 * Reports every `pattern`, and key of `patternProperties`, of a JSON Schema that is malformed or could take very long:
 * values that a model or a user wrote are matched with it. So is a bound that leaves no value. Returns whether all can be used.
 */
export function checkSchemaPatterns(schema: SpecNode, diagnostics: Diagnostics): boolean {
  if (schema.kind === "list")
    return schema.items.map((item) => checkSchemaPatterns(item, diagnostics)).every(Boolean);
  if (schema.kind === "scalar") return true;
  let isSafe = checkBounds(schema, diagnostics);
  for (const [name, { value }] of schema.entries) {
    if (name === "pattern") isSafe = checkPattern(value, diagnostics) && isSafe;
    else if (name === "patternProperties") isSafe = checkKeys(value, diagnostics) && isSafe;
    else if (holdsSchemas.has(name) && value.kind === "map") {
      for (const inner of value.entries.values())
        isSafe = checkSchemaPatterns(inner.value, diagnostics) && isSafe;
    } else if (!holdsData.has(name)) isSafe = checkSchemaPatterns(value, diagnostics) && isSafe;
  }
  return isSafe;
}

const bounds = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;

function checkBounds({ entries }: MapNode, diagnostics: Diagnostics): boolean {
  let isSafe = true;
  for (const [least, most] of bounds) {
    const [low, high] = [least, most].map((name) => entries.get(name)?.value);
    if (high === undefined || !isAbove(low, high)) continue;
    isSafe = false;
    diagnostics.error(
      "LW-VALUE-SCHEMA",
      high,
      `no value fits: \`${least}\` is above \`${most}\``,
      `write a \`${most}\` that is at least \`${least}\``,
    );
  }
  return isSafe;
}

function isAbove(low: SpecNode | undefined, high: SpecNode): boolean {
  return (
    low?.kind === "scalar" &&
    high.kind === "scalar" &&
    typeof low.value === "number" &&
    typeof high.value === "number" &&
    low.value > high.value
  );
}

function checkKeys(node: SpecNode, diagnostics: Diagnostics): boolean {
  if (node.kind !== "map") return true;
  return [...node.entries.values()]
    .map(({ key, value }) => {
      const isSafe = checkPattern(key, diagnostics);
      return checkSchemaPatterns(value, diagnostics) && isSafe;
    })
    .every(Boolean);
}

function checkPattern(node: SpecNode, diagnostics: Diagnostics): boolean {
  if (node.kind !== "scalar" || typeof node.value !== "string") {
    diagnostics.error("LW-VALUE-PATTERN", node, "a pattern is a text", "quote it");
    return false;
  }
  const fault = faultOfPattern(node.value);
  if (fault === undefined) return true;
  diagnostics.error("LW-VALUE-PATTERN", node, `the pattern ${fault.message}`, fault.suggestion);
  return false;
}
