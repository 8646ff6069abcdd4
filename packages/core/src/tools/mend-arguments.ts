import type { Json, JsonObject } from "../contracts/json.ts";
import { type Draft, isDraftList, isDraftObject, LooseText } from "../structured/draft.ts";
import { ReadFault } from "../structured/read-fault.ts";
import { readWhole } from "../structured/read-whole.ts";
import { StepBudget } from "../structured/step-budget.ts";

/** An argument text that is one object, or why it is none. */
export type MendedArguments =
  | { readonly ok: true; readonly value: JsonObject; readonly isMended: boolean }
  | { readonly ok: false; readonly why: string };

/** Repairs of syntax after which nothing of the text is lost or added, and that leave one reading. */
const LOSSLESS: ReadonlySet<string> = new Set([
  "removed-comma",
  "removed-comment",
  "removed-invisible",
  "replaced-quotes",
  "replaced-literal",
  "replaced-punctuation",
  "escaped-control",
  "added-quotes",
  "merged-equal-keys",
]);

const FENCE = /^(`{3,}|~{3,})[^\n`~]*\n([\s\S]*?)\n?\1$/;
const maxSteps = 4_000_000;
const maxDepth = 128;
/** How often text may hold text that holds the object. */
const maxLayers = 2;

/** Reads the one object of an argument text: also out of a fence or a JSON string, and with harmless faults of its syntax. */
export function mendArguments(text: string): MendedArguments {
  let rest = text.trim();
  for (let layer = 0; ; layer += 1) {
    const read = readLayer(FENCE.exec(rest)?.[2]?.trim() ?? rest);
    // What is wrong inside a text that is no object says nothing about the arguments.
    if (read instanceof ReadFault) return { ok: false, why: layer === 0 ? read.message : "" };
    if (typeof read === "string" && layer < maxLayers) {
      rest = read.trim();
      continue;
    }
    return isObject(read)
      ? { ok: true, value: read, isMended: rest !== text.trim() || !isPlainJson(rest) }
      : { ok: false, why: "" };
  }
}

/** The value of a text that is JSON of one reading, at most with harmless faults of its syntax; undefined for any other. */
export function readJson(text: string): Json | undefined {
  const read = readLayer(text);
  return read instanceof ReadFault ? undefined : read;
}

function readLayer(text: string): Json | undefined | ReadFault {
  try {
    const whole = readWhole(text, new StepBudget(maxSteps), maxDepth, false);
    if (whole === undefined || [...whole.repairs.keys()].some((rule) => !LOSSLESS.has(rule)))
      return undefined;
    return settled(whole.draft, "");
  } catch (fault) {
    if (fault instanceof ReadFault) return fault;
    if (fault instanceof RangeError)
      return new ReadFault("too-deep", "they are nested too deep to read");
    throw fault;
  }
}

/** The value of a draft; text without quotes has more than one reading. */
function settled(draft: Draft, path: string): Json {
  if (draft instanceof LooseText) {
    const value = draft.kind === "number" ? Number(draft.text) : Number.NaN;
    const isWhole = !Number.isInteger(value) || Number.isSafeInteger(value);
    if (Number.isFinite(value) && isWhole) return value;
    const where = path === "" ? "a value" : `\`${path}\``;
    const what =
      draft.kind === "number" ? "has more digits than a number can keep" : "stands without quotes";
    throw new ReadFault("ambiguous", `${where} ${what}: ${draft.text.slice(0, 40)}`);
  }
  if (isDraftList(draft)) return draft.map((item, index) => settled(item, `${path}[${index}]`));
  if (!isDraftObject(draft)) return draft;
  return Object.fromEntries(
    Object.entries(draft).map(([key, member]) => [
      key,
      settled(member, path === "" ? key : `${path}.${key}`),
    ]),
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPlainJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
