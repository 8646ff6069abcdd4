import type { Json } from "../contracts/json.ts";

/**
 * A value that stood without quotes and whose meaning may hang on the schema.
 *
 * `number`: a number that prints differently from how it was written; `word`: text; `grouped`: a number with thousand
 * separators; `odd`: begins like a number and is none; `not-a-number`: NaN or an infinity.
 */
export class LooseText {
  readonly kind: "number" | "word" | "grouped" | "odd" | "not-a-number";
  readonly text: string;

  constructor(kind: LooseText["kind"], text: string) {
    this.kind = kind;
    this.text = text;
  }
}

/** A value as read, before it meets a schema. */
export type Draft = Json | LooseText | Draft[] | DraftObject;

/** An object as read. */
export interface DraftObject {
  [key: string]: Draft;
}

/** True for an object, which neither a list nor a loose text is. */
export function isDraftObject(value: Draft | undefined): value is DraftObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof LooseText)
  );
}

/** True for a list. */
export function isDraftList(value: Draft | undefined): value is Draft[] {
  return Array.isArray(value);
}

/** Equality by value; the order of keys does not count. */
export function sameDraft(left: Draft, right: Draft): boolean {
  if (left === right) return true;
  if (left instanceof LooseText || right instanceof LooseText) return sameLoose(left, right);
  if (isDraftList(left) || isDraftList(right)) {
    if (!isDraftList(left) || !isDraftList(right) || left.length !== right.length) return false;
    return left.every((item, index) => sameDraft(item, right[index] ?? null));
  }
  if (!isDraftObject(left) || !isDraftObject(right)) return false;
  const other = right;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) => Object.hasOwn(other, key) && sameDraft(left[key] ?? null, other[key] ?? null),
    )
  );
}

function sameLoose(left: Draft, right: Draft): boolean {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== undefined && b !== undefined) return a === b;
  return (
    left instanceof LooseText &&
    right instanceof LooseText &&
    left.kind === right.kind &&
    left.text === right.text
  );
}

function numberOf(draft: Draft): number | undefined {
  if (typeof draft === "number") return draft;
  return draft instanceof LooseText && draft.kind === "number" ? Number(draft.text) : undefined;
}
