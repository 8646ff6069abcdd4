import type { Json, JsonObject } from "@loopwright/core/plugin";
import { ERROR_CODES } from "@loopwright/core/plugin";
import type { ScriptedReply } from "./reply.ts";
import { ScriptFault, type ScriptPath } from "./script-fault.ts";

type Test = (value: Json) => boolean;

const isText: Test = (value) => typeof value === "string";
const isTexts: Test = (value) => Array.isArray(value) && value.every(isText);
const isObject: Test = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isCount: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isFinish: Test = (value) =>
  ["stop", "length", "tool-calls", "content-filter", "other"].some((reason) => reason === value);

const FIELDS: Readonly<Record<keyof ScriptedReply, readonly [Test, string]>> = {
  stage: [isText, "text"],
  voice: [isText, "text"],
  includes: [isTexts, "a list of texts"],
  excludes: [isTexts, "a list of texts"],
  lastIncludes: [isText, "text"],
  key: [isText, "text"],
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
  const entry = asObject(value, path);
  for (const [key, field] of Object.entries(entry)) {
    if (!isField(key)) {
      const what = `has the unknown key ${key}; known are ${Object.keys(FIELDS).join(", ")}`;
      throw new ScriptFault([...path, key], what, true);
    }
    const [test, form] = FIELDS[key];
    if (!test(field)) throw new ScriptFault([...path, key], `must be ${form}`);
  }
  if (!["text", "json", "calls", "refusal", "error"].some((key) => key in entry)) {
    throw new ScriptFault(path, "says nothing: give it text, json, calls, refusal or error");
  }
  if ("text" in entry && "json" in entry) throw new ScriptFault(path, "has both text and json");
  return entry;
}

/** The value as an object, or a fault that names the place. */
export function asObject(value: Json | undefined, path: ScriptPath): JsonObject {
  if (value === undefined || !isObject(value)) throw new ScriptFault(path, "must be a map");
  return value as JsonObject;
}

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
