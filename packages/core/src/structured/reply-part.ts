import type { Draft } from "./draft.ts";
import type { ReadFault } from "./read-fault.ts";

/** A tool call as text holds it, before it takes the form that a schema wants. */
export interface TextCall {
  readonly name: string;
  readonly arguments: Draft;
}

/** Something in a reply that is a value, a call, or was meant as one and can't be read. */
export interface ReplyPart {
  readonly start: number;
  readonly end: number;
  /** True where words or a fence stand between this part and the one before it. */
  readonly isParted: boolean;
  /** True inside the tags of a tool call. */
  readonly isCall: boolean;
  readonly draft?: Draft;
  readonly call?: TextCall;
  readonly fault?: ReadFault;
  readonly repairs: ReadonlyMap<string, number>;
}

/** What one pass over a reply finds. */
export interface ScannedReply {
  readonly parts: readonly ReplyPart[];
  /** Where the text begins that is not thinking. */
  readonly bodyStart: number;
  readonly isThinkingOpen: boolean;
  /** Repairs that concern the text as a whole. */
  readonly removed: ReadonlySet<string>;
}
