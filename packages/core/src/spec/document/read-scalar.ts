import type { Json, JsonSchema } from "../../contracts/json.ts";
import type { Diagnostics } from "../text/diagnostic.ts";
import type { SpecNode } from "../text/spec-node.ts";
import { didYouMean } from "../text/suggest.ts";
import { isFromEnvironment, isUnset, labelOf, shownValue, writeInstead } from "./node-text.ts";
import {
  choiceRepair,
  numberRepair,
  rangeRepair,
  textRepair,
  wholeRepair,
} from "./value-repairs.ts";

/** Reads text; a number or boolean is an error that prints the repair. */
export function readText(node: SpecNode, diagnostics: Diagnostics): string | undefined {
  if (isUnset(node)) return undefined;
  if (node.kind === "scalar" && node.isNull !== true) {
    if (typeof node.value === "string") return node.value;
    if (node.fromEnv === true) return node.text;
    const what = typeof node.value === "number" ? "number" : "boolean";
    const message = `\`${labelOf(node)}\` is text; \`${node.text}\` is read as a ${what}`;
    diagnostics.error(
      "LW-VALUE-TEXT-EXPECTED",
      node,
      message,
      writeInstead(node, `"${node.text}"`),
    );
    return undefined;
  }
  const message = `\`${labelOf(node)}\` is text, not ${shownValue(node)}`;
  diagnostics.error("LW-VALUE-TEXT-EXPECTED", node, message, textRepair(node));
  return undefined;
}

/** Reads true or false. */
export function readBoolean(node: SpecNode, diagnostics: Diagnostics): boolean | undefined {
  if (isUnset(node)) return undefined;
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
  if (isFromEnvironment(node) && /^(true|false)$/.test(node.value)) return node.value === "true";
  const text = node.kind === "scalar" ? String(node.value).toLowerCase() : "";
  const meant = /^(true|yes|on)$/.test(text)
    ? "true"
    : /^(false|no|off)$/.test(text)
      ? "false"
      : undefined;
  const message = `\`${labelOf(node)}\` is true or false, not ${shownValue(node)}`;
  const repair =
    meant === undefined ? choiceRepair(node, ["true", "false"]) : writeInstead(node, meant);
  diagnostics.error("LW-VALUE-BOOLEAN-EXPECTED", node, message, repair);
  return undefined;
}

/** Reads a number within the bounds of its schema. */
export function readNumber(
  node: SpecNode,
  schema: JsonSchema,
  diagnostics: Diagnostics,
): number | undefined {
  if (isUnset(node)) return undefined;
  const isWhole = schema["type"] === "integer";
  const value = numberOf(node);
  const what = isWhole ? "a whole number" : "a number";
  if (value === undefined) {
    const isQuoted =
      node.kind === "scalar" && typeof node.value === "string" && node.value.trim() !== "";
    const inner = isQuoted ? Number(node.value) : Number.NaN;
    const message = Number.isFinite(inner)
      ? `\`${labelOf(node)}\` is ${what}; the quotes around ${shownValue(node)} make it text`
      : `\`${labelOf(node)}\` is ${what}, not ${shownValue(node)}`;
    const repair = Number.isFinite(inner)
      ? writeInstead(node, String(inner))
      : numberRepair(node, schema);
    diagnostics.error("LW-VALUE-NUMBER-EXPECTED", node, message, repair);
    return undefined;
  }
  if (isWhole && !Number.isInteger(value)) {
    const message = `\`${labelOf(node)}\` is a whole number, not ${shownValue(node)}`;
    diagnostics.error("LW-VALUE-TYPE", node, message, wholeRepair(node, value, schema));
    return undefined;
  }
  return isInRange(value, schema, node, diagnostics) ? value : undefined;
}

type Holds = (value: number, bound: number) => boolean;

const bounds: readonly (readonly [key: string, words: string, holds: Holds])[] = [
  ["minimum", "at least", (value, bound) => value >= bound],
  ["maximum", "at most", (value, bound) => value <= bound],
  ["exclusiveMinimum", "above", (value, bound) => value > bound],
  ["exclusiveMaximum", "below", (value, bound) => value < bound],
  [
    "multipleOf",
    "a multiple of",
    (value, bound) => Number.isInteger(Number((value / bound).toFixed(9))),
  ],
];

/** Reports a number outside the bounds of its schema; `written` writes a bound as the spec would. */
export function isInRange(
  value: number,
  schema: JsonSchema,
  node: SpecNode,
  diagnostics: Diagnostics,
  written: (bound: number) => string = String,
): boolean {
  for (const [key, words, holds] of bounds) {
    const bound = schema[key];
    if (typeof bound !== "number" || holds(value, bound)) continue;
    const text = written(bound);
    const message = `\`${labelOf(node)}\` must be ${words} ${text}; it is ${shownValue(node)}`;
    diagnostics.error("LW-VALUE-RANGE", node, message, rangeRepair(node, key, text));
    return false;
  }
  return true;
}

/** Reads one of several allowed values. */
export function readChoice(
  node: SpecNode,
  allowed: readonly Json[],
  diagnostics: Diagnostics,
): Json | undefined {
  if (isUnset(node)) return undefined;
  const found = node.kind === "scalar" && allowed.includes(node.value) ? node.value : undefined;
  if (found !== undefined) return found;
  const typed = isFromEnvironment(node)
    ? allowed.find(
        (value) =>
          JSON.stringify(value) === JSON.stringify(node.value) ||
          JSON.stringify(value) === node.value,
      )
    : undefined;
  if (typed !== undefined) return typed;
  const names = allowed.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const message = `\`${labelOf(node)}\` is one of ${names.join(", ")}; it is ${shownValue(node)}`;
  const near = node.kind === "scalar" ? didYouMean(String(node.value), names) : undefined;
  diagnostics.error("LW-VALUE-CHOICE", node, message, near ?? choiceRepair(node, names));
  return undefined;
}

/** Reads text within the length and pattern of its schema. */
export function readBoundedText(
  node: SpecNode,
  schema: JsonSchema,
  diagnostics: Diagnostics,
): string | undefined {
  const text = readText(node, diagnostics);
  if (text === undefined) return undefined;
  const fault = textFault(text, schema);
  if (fault === undefined) return text;
  const [message, repair] = fault;
  diagnostics.error("LW-VALUE-RANGE", node, `\`${labelOf(node)}\` ${message}`, repair);
  return undefined;
}

function textFault(
  text: string,
  schema: JsonSchema,
): readonly [message: string, repair: string] | undefined {
  const length = Array.from(text).length;
  const { minLength, maxLength, pattern } = schema as Readonly<
    Record<"minLength" | "maxLength" | "pattern", Json | undefined>
  >;
  if (typeof minLength === "number" && length < minLength) {
    return minLength === 1
      ? ["must not be empty", "write at least one character, or delete the line"]
      : [`must have at least ${minLength} characters`, `add ${minLength - length} or more`];
  }
  if (typeof maxLength === "number" && length > maxLength)
    return [`must have at most ${maxLength} characters`, `take ${length - maxLength} or more away`];
  if (typeof pattern === "string" && !new RegExp(pattern, "u").test(text))
    return [`must match ${pattern}`, "write a text that the whole pattern fits"];
  return undefined;
}

/** The number at a node; text counts only where an environment variable gave it. */
function numberOf(node: SpecNode): number | undefined {
  if (node.kind !== "scalar") return undefined;
  if (typeof node.value === "number") return node.value;
  const isNumeric = isFromEnvironment(node) && /^-?\d{1,15}(\.\d+)?$/.test(node.value);
  return isNumeric ? Number(node.value) : undefined;
}
