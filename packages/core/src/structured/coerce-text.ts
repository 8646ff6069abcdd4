import type { JsonSchema } from "../contracts/json.ts";
import type { CoercionNotes } from "./coercion-notes.ts";
import { type Draft, isDraftList, isDraftObject, LooseText } from "./draft.ts";
import { readNumberText } from "./number-text.ts";
import { ReadFault } from "./read-fault.ts";
import { readWhole } from "./read-whole.ts";
import { writtenText } from "./settle-draft.ts";
import type { StepBudget } from "./step-budget.ts";

/** What coercion carries along. */
export interface CoercionContext {
  readonly root: JsonSchema;
  readonly budget: StepBudget;
  readonly maxDepth: number;
  readonly notes: CoercionNotes;
}

const LIST_MARKS = /[,;|、，\n\r\u2028\u2029]/;

/** A value as another type without loss, or nothing where that can't be. */
export function convertTo(
  type: string,
  draft: Draft,
  path: string,
  context: CoercionContext,
): Draft | undefined {
  switch (type) {
    case "integer":
    case "number":
      return toNumber(draft, type === "integer", path);
    case "string":
      return toText(draft);
    case "boolean":
      return toBoolean(draft);
    case "null":
      return toNull(draft);
    case "array":
      return toList(draft, path, context);
    case "object":
      return toObject(draft, context);
    default:
      return undefined;
  }
}

function toNumber(draft: Draft, isInteger: boolean, path: string): number | undefined {
  const isText =
    typeof draft === "string" || (draft instanceof LooseText && draft.kind !== "not-a-number");
  if (!isText) return undefined;
  const text = writtenText(draft);
  const value = readNumberText(text, isInteger);
  if (value === "ambiguous")
    throw new ReadFault(
      "ambiguous",
      `${JSON.stringify(text)} can be read as two different numbers`,
      path,
    );
  return value;
}

function toText(draft: Draft): string | undefined {
  if (typeof draft === "number") return String(draft);
  return draft instanceof LooseText && draft.kind !== "not-a-number" ? draft.text : undefined;
}

function toBoolean(draft: Draft): boolean | undefined {
  const text = typeof draft === "string" ? draft.trim().toLowerCase() : "";
  if (text === "true") return true;
  return text === "false" ? false : undefined;
}

function toNull(draft: Draft): null | undefined {
  if (draft instanceof LooseText) return draft.kind === "not-a-number" ? null : undefined;
  return typeof draft === "string" && draft.trim().toLowerCase() === "null" ? null : undefined;
}

function toList(draft: Draft, path: string, context: CoercionContext): Draft | undefined {
  if (typeof draft === "string") {
    const inner = innerValue(draft, context);
    if (isDraftList(inner) || typeof inner === "string") return inner;
    const text = draft.trim();
    if (text === "" || /^[[{"]/.test(text)) return undefined;
    if (LIST_MARKS.test(text))
      throw new ReadFault(
        "ambiguous",
        "a list is wanted, and the text can be cut in more than one way",
        path,
      );
    return [draft];
  }
  if (draft instanceof LooseText && draft.kind !== "word" && draft.kind !== "number")
    return undefined;
  const isScalar =
    typeof draft === "number" || typeof draft === "boolean" || draft instanceof LooseText;
  return isScalar ? [draft] : undefined;
}

function toObject(draft: Draft, context: CoercionContext): Draft | undefined {
  if (isDraftList(draft)) {
    const [only] = draft;
    const isOne = draft.length === 1 && (isDraftObject(only) || typeof only === "string");
    return isOne ? only : undefined;
  }
  if (typeof draft !== "string") return undefined;
  const inner = innerValue(draft, context);
  return isDraftObject(inner) || isDraftList(inner) || typeof inner === "string"
    ? inner
    : undefined;
}

/** The value whose JSON a text is. */
function innerValue(text: string, { budget, maxDepth }: CoercionContext): Draft | undefined {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  const strict = readWhole(text, budget, maxDepth, true);
  return (strict ?? readWhole(text, budget, maxDepth, false))?.draft;
}
