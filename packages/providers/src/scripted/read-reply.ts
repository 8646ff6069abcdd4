import type { Json, JsonObject } from "@loopwright/core/plugin";
import { didYouMean, ERROR_CODES } from "@loopwright/core/plugin";
import type { ScriptedReply } from "./reply.ts";
import { ScriptFault, type ScriptPath, unknownKey } from "./script-fault.ts";

type Test = (value: Json) => boolean;

const isText: Test = (value) => typeof value === "string";
const isTexts: Test = (value) => Array.isArray(value) && value.every(isText);
const isObject: Test = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isCount: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const REASONS = ["stop", "length", "tool-calls", "content-filter", "other"];
const LAYERS = ["prompt", "json-mode", "json-schema"];
const isLayer: Test = (value) => LAYERS.some((layer) => layer === value);
const isFinish: Test = (value) => REASONS.some((reason) => reason === value);

const FIELDS: Readonly<Record<keyof ScriptedReply, readonly [Test, string]>> = {
  stage: [isText, "text"],
  voice: [isText, "text"],
  includes: [isTexts, "a list of texts"],
  excludes: [isTexts, "a list of texts"],
  lastIncludes: [isText, "text"],
  key: [isText, "text"],
  layer: [isLayer, "prompt, json-mode or json-schema"],
  inputs: [isObject, "a map of inputs"],
  times: [(value) => value === "always" || isCount(value), "a count or `always`"],
  text: [isText, "text"],
  json: [() => true, "any value"],
  calls: [
    (value) => Array.isArray(value) && value.every(isCall),
    "a list of `{ name, arguments }`",
  ],
  reasoning: [isText, "text"],
  refusal: [isText, "text"],
  error: [isError, "`{ code, message }` with a code of the error catalogue"],
  finishReason: [isFinish, "stop, length, tool-calls, content-filter or other"],
  usage: [
    (value) => isObject(value) && Object.values(value as JsonObject).every(isCount),
    "a map of counts",
  ],
  delayMs: [isCount, "a count of milliseconds"],
};

/** Reads one entry of a script; a plain text is a reply that fits any request. */
export function toScriptedReply(value: Json, path: ScriptPath): ScriptedReply {
  if (typeof value === "string") return { text: value };
  const entry = asObject(value, path, textRepair(value));
  for (const [key, field] of Object.entries(entry)) {
    if (!isField(key)) throw unknownKey(path, key, Object.keys(FIELDS));
    const [test, form] = FIELDS[key];
    if (!test(field))
      throw new ScriptFault([...path, key], `must be ${form}`, fieldRepair(key, field));
  }
  if (typeof entry["key"] === "string" && entry["key"].includes("*"))
    throw new ScriptFault(
      [...path, "key"],
      "is plain text that occurs in the step key, and no step key holds a `*`",
      `write the part that is always there, like \`"${longestPart(entry["key"])}"\``,
    );
  if (!["text", "json", "calls", "refusal", "error"].some((key) => key in entry)) {
    const what = "says nothing: give it text, json, calls, refusal or error";
    throw new ScriptFault(path, what, "add the `text` that the model says, or delete the entry");
  }
  if ("text" in entry && "json" in entry)
    throw new ScriptFault(path, "has both text and json", "keep one of `text` and `json`");
  return entry;
}

function longestPart(glob: string): string {
  const [longest = ""] = glob.split(/\*+/u).toSorted((a, b) => b.length - a.length);
  return longest === "" ? "generate:0" : longest;
}

/** The value as an object, or a fault that names the place. */
export function asObject(value: Json | undefined, path: ScriptPath, repair: string): JsonObject {
  if (value === undefined || !isObject(value)) throw new ScriptFault(path, "must be a map", repair);
  return value as JsonObject;
}

/** How to make a list of texts of a value. */
export function listRepair(value: Json): string {
  const items = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const isPlain = items.every((item) => item !== null && typeof item !== "object");
  return isPlain && items.length < 4
    ? `write \`${JSON.stringify(items.map(String))}\``
    : "write a list of texts, each in quotes";
}

function textRepair(value: Json): string {
  return typeof value === "number" || typeof value === "boolean"
    ? `put it in quotes: \`"${value}"\``
    : 'write a text in quotes, or a map like `{ "text": "Hello" }`';
}

function fieldRepair(key: keyof ScriptedReply, value: Json): string {
  const [test] = FIELDS[key];
  if (test === isText)
    return isObject(value) || Array.isArray(value) || value === null
      ? "write a text in quotes, or delete the key"
      : textRepair(value);
  if (test === isTexts) return listRepair(value);
  if (test === isFinish && typeof value === "string") {
    const near = didYouMean(value, REASONS);
    if (near !== undefined) return near;
  }
  if (key === "times" && typeof value === "string") {
    const near = didYouMean(value, ["always"]);
    if (near !== undefined) return near;
  }
  return `write \`${key}\` like \`${EXAMPLES[key] ?? "1"}\``;
}

/** What a field looks like, in JSON, which YAML reads too. */
const EXAMPLES: Partial<Readonly<Record<keyof ScriptedReply, string>>> = {
  inputs: '{ "question": "Why?" }',
  layer: '"prompt"',
  times: "2",
  calls: '[{ "name": "calculator", "arguments": { "expression": "1 + 1" } }]',
  error: '{ "code": "provider-failed", "message": "It is down." }',
  finishReason: '"stop"',
  usage: '{ "input": 10, "output": 5 }',
  delayMs: "200",
};

function isField(key: string): key is keyof ScriptedReply {
  return Object.hasOwn(FIELDS, key);
}

function isCall(value: Json): boolean {
  if (!isObject(value)) return false;
  const { name, arguments: given = {}, id = "", ...rest } = value as JsonObject;
  return (
    isText(name ?? null) &&
    (isText(given) || isObject(given)) &&
    isText(id) &&
    Object.keys(rest).length === 0
  );
}

function isError(value: Json): boolean {
  if (!isObject(value)) return false;
  const { code, message, retryable = false, details = {}, ...rest } = value as JsonObject;
  return (
    Object.keys(rest).length === 0 &&
    isObject(details) &&
    typeof code === "string" &&
    Object.hasOwn(ERROR_CODES, code) &&
    typeof message === "string" &&
    typeof retryable === "boolean"
  );
}
