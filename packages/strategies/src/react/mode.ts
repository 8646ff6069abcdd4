import type {
  AnswerDraft,
  AssistantMessage,
  Message,
  Result,
  ToolCall,
} from "@loopwright/core/plugin";
import type { Talk } from "../shared/thread.ts";

/** A way that was considered and not taken. */
interface Considered {
  readonly option: string;
  readonly reason: string;
}

/** Why a reply is no step. */
export interface Fault {
  readonly reason: string;
  /** True for a reply without a word. */
  readonly isSilent?: boolean;
  /** True where it was asked for again already, so that asking once more is of no use. */
  readonly isFinal?: boolean;
}

/** What a reply says to do: calls, the answer, or nothing that can be read. */
export interface Move {
  readonly thought: string;
  readonly considered: readonly Considered[];
  readonly calls: readonly ToolCall[];
  readonly answer?: AnswerDraft;
  readonly fault?: Fault;
  /** Which parts of the reply were left out, and what the model is told of them beside its results. */
  readonly dropped?: readonly string[];
  readonly leftOut?: string;
  /** What the conversation keeps of it. */
  readonly message?: AssistantMessage;
  /** The prompt as sent; empty where nothing was said back. */
  readonly sent: readonly Message[];
}

/** The answer of a step without calls. */
export interface LastWord {
  readonly answer?: AnswerDraft;
  readonly message?: AssistantMessage;
  /** Calls that were wished for all the same. */
  readonly calls: readonly ToolCall[];
  readonly sent: readonly Message[];
}

/** What a call came to, in words for the model. */
export interface CallResult {
  readonly call: ToolCall;
  readonly text: string;
  readonly ok: boolean;
}

/**
 * How a step is asked for, read and answered; the loop and its events are the same in every mode.
 *
 * Contract: `ask` makes one generation and throws nothing for what a model says; whatever can't be read is a fault.
 */
export interface Mode {
  readonly id: "native" | "structured" | "text";
  /** What is said back to a reply that is no step. */
  faultText(fault: Fault): string;
  ask(talk: Talk, step: number): Promise<Move>;
  /** Asks for the answer, without calls. */
  conclude(talk: Talk): Promise<Result<LastWord>>;
  /** The messages that tell the results of a step. */
  resultsOf(results: readonly CallResult[]): readonly Message[];
  /** The model's own words of an older step without their thought. */
  readonly withoutThought?: (text: string) => string;
}
