import type { JsonObject } from "./json.ts";

/** A model's wish to call a tool; `arguments` is the model's own text, unchecked. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One message of a conversation with a model. */
export type Message =
  | { readonly role: "system" | "user"; readonly text: string }
  | AssistantMessage
  | {
      readonly role: "tool";
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly ok: boolean;
    };

/** What a model said; `opaque` holds a vendor's own fields, which go back verbatim, and to that `model` alone. */
export interface AssistantMessage {
  readonly role: "assistant";
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  readonly opaque?: JsonObject;
  /** The model that `opaque` belongs to, as the spec names it; core stamps it. */
  readonly model?: string;
}

/** Tokens of one call; `input` excludes what the cache read or wrote, `output` includes `reasoning`. */
export interface Usage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
}

/** Why a model stopped. */
export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "other";
