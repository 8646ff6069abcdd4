import type { Json } from "../contracts/json.ts";

/** Why a model's text gives no value. */
export type StructuredFault =
  | "empty"
  | "no-json"
  | "syntax"
  | "truncated"
  | "ambiguous"
  | "no-step"
  | "schema"
  | "duplicate-key"
  | "forbidden-key"
  | "too-large"
  | "too-deep"
  | "timeout"
  | "refusal";

/** One change that was made to read a value. */
export interface Repair {
  /** What was done, like `removed-fence` or `text-to-number`. */
  readonly rule: string;
  /** The place in the value, like `items[2].count`; left out for what concerns the text. */
  readonly path?: string;
  /** What it was and what it became, for people. */
  readonly note?: string;
}

/** A text that gives no value. */
export interface StructuredFailure {
  readonly ok: false;
  readonly code: StructuredFault;
  /** What is wrong, in words that a model can act on too. */
  readonly message: string;
  /** The place in the value, where there is one. */
  readonly path?: string;
}

/** A value read from a model's text, with every change that it took. */
export interface StructuredValue {
  readonly ok: true;
  readonly value: Json;
  readonly repairs: readonly Repair[];
}
