import type { ArgumentChange } from "../contracts/event.ts";
import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import { definePrompt, type Language, wordsIn } from "../contracts/prompt.ts";
import type { ToolDefinition } from "../contracts/tool.ts";
import { messageOf } from "../errors/loopwright-error.ts";
import { misfits } from "../validation/json-validator.ts";
import { describeMisfits } from "../validation/misfit-words.ts";
import { changesBetween } from "./argument-changes.ts";
import { fitInput } from "./fit-input.ts";
import { mendArguments } from "./mend-arguments.ts";

/** A tool call's arguments, read and fitting, with everything that was read as something else; or what the model must mend. */
export type ReadArguments =
  | { readonly ok: true; readonly input: JsonObject; readonly changes?: readonly ArgumentChange[] }
  | { readonly ok: false; readonly message: string };

const maxArgumentChars = 200_000;
/** Deeper ones would exhaust the stack of whoever writes them down. */
const maxArgumentDepth = 100;

/**
 * Reads a model's argument text: one JSON object that fits the tool's schema.
 *
 * What is not quite that is given the one form that is, where nothing is lost and only one is meant; nothing is guessed. A
 * tool that normalises its arguments gets the last word.
 */
export function readArguments(
  text: string,
  schema: JsonSchema,
  normalize?: ToolDefinition["normalize"],
  language: Language = "en",
): ReadArguments {
  if (text.length > maxArgumentChars)
    return { ok: false, message: wordsIn(language, TOO_LONG, { most: maxArgumentChars }) };
  if (depthOf(text) > maxArgumentDepth)
    return { ok: false, message: wordsIn(language, TOO_DEEP, { most: maxArgumentDepth }) };
  const read = readFitting(text.trim(), schema, language);
  return read.ok && normalize !== undefined ? normalized(read, schema, normalize, language) : read;
}

/** How deep objects and lists of a text are nested, brackets inside its strings left out. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (mark === "[" || mark === "{") depth += 1;
    else if (mark === "]" || mark === "}") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function readFitting(text: string, schema: JsonSchema, language: Language): ReadArguments {
  const plain = parsePlain(text === "" ? "{}" : text);
  if (plain !== undefined && misfits(plain, schema).length === 0) return { ok: true, input: plain };
  const mended =
    plain === undefined
      ? mendArguments(text)
      : { ok: true as const, value: plain, isMended: false };
  if (!mended.ok) return noObject(text, mended.why, schema, language);
  const { value, changes } = fitInput(mended.value, schema);
  const list = misfits(value, schema, language);
  if (list.length > 0) {
    const faults = describeMisfits(list, language);
    return { ok: false, message: wordsIn(language, MISFIT, { faults }) };
  }
  const whole = mended.isMended ? [{ path: "", from: shorten(text), to: mended.value }] : [];
  return { ok: true, input: value as JsonObject, changes: [...whole, ...changes] };
}

/** The object of a text that is JSON with one reading; undefined where it needs a closer look. */
function parsePlain(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && !hasTwoReadings(text, value as JsonObject)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

/** True where a key may stand twice, or a number has more digits than can be kept. */
function hasTwoReadings(text: string, value: JsonObject): boolean {
  if (/\d{16}/.test(text) || text.includes("__proto__")) return true;
  return (text.match(/"\s*:/g) ?? []).length !== keyCount(value);
}

function keyCount(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  const members: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : members.length;
  for (const member of members) count += keyCount(member);
  return count;
}

function normalized(
  read: Extract<ReadArguments, { readonly ok: true }>,
  schema: JsonSchema,
  normalize: NonNullable<ToolDefinition["normalize"]>,
  language: Language,
): ReadArguments {
  const { input, changes = [] } = read;
  let value: Json;
  try {
    value = normalize(copyOf(input) as never) as Json;
  } catch (thrown) {
    const fault = messageOf(thrown);
    return { ok: false, message: wordsIn(language, UNUSABLE, { fault }) };
  }
  const own = changesBetween(input, copyOf(value));
  if (own.length === 0) return read;
  const list = misfits(value, schema, language);
  if (list.length > 0) {
    const faults = describeMisfits(list, language);
    return { ok: false, message: wordsIn(language, MISFIT_NORMALISED, { faults }) };
  }
  return { ok: true, input: value as JsonObject, changes: [...changes, ...own] };
}

function copyOf(value: Json): Json {
  return JSON.parse(JSON.stringify(value) ?? "null") as Json;
}

function noObject(
  text: string,
  why: string,
  schema: JsonSchema,
  language: Language,
): ReadArguments {
  // The very fault of the syntax is known in English alone.
  const because = why === "" || language !== "en" ? "" : ` (${why})`;
  const given = `${shorten(text)}${because}`;
  const example = JSON.stringify(shapeOf(schema));
  return { ok: false, message: wordsIn(language, NO_OBJECT, { given, example }) };
}

function shapeOf(schema: JsonSchema): Record<string, string> {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [
      name,
      typeof part["type"] === "string" ? part["type"] : "value",
    ]),
  );
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

const TOO_LONG = definePrompt({
  en: "the arguments are longer than {{most}} characters",
  zh: "参数超过 {{most}} 个字符",
});
const TOO_DEEP = definePrompt({
  en: "the arguments are nested deeper than {{most}} levels",
  zh: "参数的嵌套超过 {{most}} 层",
});
const MISFIT = definePrompt({
  en: "the arguments do not fit: {{faults}}",
  zh: "参数不符合要求：{{faults}}",
});
const MISFIT_NORMALISED = definePrompt({
  en: "the arguments, once normalised, do not fit: {{faults}}",
  zh: "参数规范化之后不符合要求：{{faults}}",
});
const UNUSABLE = definePrompt({
  en: "the arguments can't be used: {{fault}}",
  zh: "参数无法使用：{{fault}}",
});
const NO_OBJECT = definePrompt({
  en: "the arguments are not one JSON object: {{given}}; send one object, for instance {{example}}",
  zh: "参数不是一个 JSON 对象：{{given}}；请发送一个对象，例如 {{example}}",
});
