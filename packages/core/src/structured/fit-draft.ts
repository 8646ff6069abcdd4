import type { Json, JsonSchema } from "../contracts/json.ts";
import { definePrompt, wordsIn } from "../contracts/prompt.ts";
import { misfits } from "../validation/json-validator.ts";
import { describeMisfits } from "../validation/misfit-words.ts";
import { coerceDraft } from "./coerce-draft.ts";
import { CoercionNotes } from "./coercion-notes.ts";
import { type Draft, isDraftList, isDraftObject, sameDraft } from "./draft.ts";
import type { ParseTask } from "./parse-task.ts";
import { ReadFault } from "./read-fault.ts";
import { asSchema, typesOf } from "./schema-part.ts";
import { settleDraft } from "./settle-draft.ts";
import type { Repair } from "./structured-result.ts";

const WRAPPER_KEYS: ReadonlySet<string> = new Set([
  "tool_call",
  "tool_calls",
  "tool_use",
  "tool",
  "function",
  "functions",
  "function_call",
  "function_calls",
  "call",
  "calls",
  "action",
  "invoke",
]);

/** A value that fits, with the repairs that made it so. */
export interface FitValue {
  readonly value: Json;
  readonly repairs: readonly Repair[];
}

/** Makes a draft a value that fits the schema; without one, an object or a list is wanted. */
export function fitDraft(draft: Draft, task: ParseTask): FitValue | ReadFault {
  try {
    return task.schema === undefined ? fitAny(draft, task) : fitSchema(draft, task.schema, task);
  } catch (fault) {
    if (fault instanceof ReadFault && !fault.isFinal) return fault;
    throw fault;
  }
}

const OBJECT_OR_LIST: JsonSchema = { type: ["object", "array"] };

function fitAny(draft: Draft, task: ParseTask): FitValue | ReadFault {
  const value = settleDraft(draft);
  if (value === undefined) return new ReadFault("syntax", wordsIn(task.language, NO_JSON_VALUE));
  if (typeof value === "object" && value !== null) return { value, repairs: [] };
  return typeof value === "string"
    ? fitSchema(draft, OBJECT_OR_LIST, task)
    : new ReadFault("no-json", "a JSON object or list is wanted");
}

function fitSchema(draft: Draft, schema: JsonSchema, task: ParseTask): FitValue | ReadFault {
  const settled = settleDraft(draft);
  const plain = undone(settled, task);
  if (plain !== undefined && misfits(plain, schema).length === 0)
    return { value: plain, repairs: [] };
  const unwrapped = unwrap(draft, schema);
  if (unwrapped !== undefined) {
    const inner = fitDraft(unwrapped, task);
    if (!(inner instanceof ReadFault))
      return { value: inner.value, repairs: [{ rule: "removed-wrapper" }, ...inner.repairs] };
    if (inner.code === "ambiguous") return inner;
  }
  const isUndone = plain !== undefined && settled !== undefined && !sameDraft(plain, settled);
  return severalOf(draft, schema, task) ?? fitCoerced(isUndone ? plain : draft, schema, task);
}

/** Where one value is wanted and each of a list fits, none of them is taken. */
function severalOf(draft: Draft, schema: JsonSchema, task: ParseTask): ReadFault | undefined {
  if (!isDraftList(draft) || draft.length < 2 || draft.length > task.limits.maxCandidates)
    return undefined;
  if (typesOf(schema)?.includes("array") !== false) return undefined;
  if (!draft.every((item) => isDraftObject(item) && !(fitDraft(item, task) instanceof ReadFault)))
    return undefined;
  return new ReadFault("ambiguous", `one value is wanted, and a list of ${draft.length} was given`);
}

function fitCoerced(draft: Draft, schema: JsonSchema, task: ParseTask): FitValue | ReadFault {
  const { budget, limits, language } = task;
  const notes = new CoercionNotes();
  const context = { root: schema, budget, maxDepth: limits.maxDepth, notes };
  const value = undone(settleDraft(coerceDraft(draft, schema, "", context)), task);
  if (value === undefined) return new ReadFault("schema", wordsIn(language, NO_JSON_VALUE));
  const faults = misfits(value, schema, language);
  if (faults.length === 0) return { value, repairs: notes.list };
  const path = faults[0]?.path;
  return new ReadFault("schema", describeMisfits(faults, language), path === "" ? undefined : path);
}

const NO_JSON_VALUE = definePrompt({
  en: "a value is no JSON: NaN, Infinity or a number with text",
  zh: "有值不是 JSON：NaN、Infinity 或夹带文字的数字",
});

function undone(value: Json | undefined, { undo }: ParseTask): Json | undefined {
  return value === undefined || undo === undefined ? value : undo(value);
}

/** What a known key of a tool call wraps, where it is the only one and the schema does not know it. */
function unwrap(draft: Draft, schema: JsonSchema): Draft | undefined {
  if (!isDraftObject(draft)) return undefined;
  const keys = Object.keys(draft).filter((key) => key !== "type" || draft[key] !== "function");
  const [key] = keys;
  if (keys.length !== 1 || key === undefined || !WRAPPER_KEYS.has(key)) return undefined;
  return Object.hasOwn(asSchema(schema["properties"]) ?? {}, key) ? undefined : draft[key];
}
