import {
  type Json,
  type JsonObject,
  type JsonSchema,
  parseStructured,
} from "@loopwright/core/plugin";
import { REFERENCE, type ToolStep } from "./tool-plan.ts";
import { wantedTypes } from "./wanted-types.ts";

/** What is known of a call beside the arguments that a model wrote. */
interface KnownCall {
  /** The schema of the tool's arguments. */
  readonly input: JsonSchema;
  /** The text that a step brought. */
  readonly textOf: (id: string) => string;
  /** The most characters that take the place of one reference. */
  readonly maxChars: number;
}

/**
 * The arguments of a call as JSON, each reference replaced by the text that its step brought. A value is read as JSON only
 * where all of it is, and where the tool wants that: any other text stays as it is.
 */
export function filledArguments(
  { arguments: list }: Pick<ToolStep, "arguments">,
  known: KnownCall,
): string {
  const entries = list.map(({ name, value }) => [
    name,
    filledLeaves(readArgument(name, value, known.input), known),
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** The arguments of a call as JSON, as they stand: nothing in them refers to another call. */
export function plainArguments(call: Pick<ToolStep, "arguments">, input: JsonSchema): string {
  const textOf = (id: string): string => `#${id}`;
  return filledArguments(call, { input, textOf, maxChars: Number.POSITIVE_INFINITY });
}

function readArgument(name: string, value: string, input: JsonSchema): Json {
  const types = wantedTypes(name, input);
  if (types.has("string")) return value;
  const read = strictJson(value.trim());
  return read !== undefined && types.has(typeOfJson(read)) ? read : value;
}

const NUMBER = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?(?:[eE][+-]?\d{1,3})?$/;
const maxNumberChars = 40;

/** The value of a text that is JSON from its first character to its last. */
function strictJson(text: string): Json | undefined {
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  if (text.length <= maxNumberChars && NUMBER.test(text)) return Number(text);
  if (!/^[[{]/.test(text)) return undefined;
  const parsed = parseStructured(text);
  return parsed.ok && parsed.repairs.length === 0 ? parsed.value : undefined;
}

function typeOfJson(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** A list or an object is filled leaf by leaf, so that no quote in a text breaks it. */
function filledLeaves(value: Json, known: KnownCall): Json {
  if (typeof value === "string") return filledText(value, known);
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item) => filledLeaves(item, known));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(entries.map(([name, item]) => [name, filledLeaves(item, known)]));
}

function filledText(text: string, { textOf, maxChars }: KnownCall): string {
  return text.replaceAll(REFERENCE, (_, id: string) => cut(textOf(id), maxChars));
}

/** The beginning of a text; no character is cut in two. */
function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
}
