/** A fragment of a tool call; every field may be missing or of another type, and a vendor may add its own. */
export interface WireCall {
  readonly index?: number | null;
  readonly id?: string | number | null;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

/** A message, or the part of it that a chunk adds. */
export interface WireMessage {
  readonly content?: unknown;
  readonly refusal?: string | null;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly tool_calls?: readonly WireCall[] | null;
}

/** A count of tokens: a number, or a text of one. */
type WireCount = number | string | null;

/** What was sent, in parts. */
interface WireInputDetails {
  readonly cached_tokens?: WireCount;
  readonly cache_creation_input_tokens?: WireCount;
  readonly cache_write_tokens?: WireCount;
}

/** What was said, in parts. */
interface WireOutputDetails {
  readonly reasoning_tokens?: WireCount;
}

/** Token counts, in the names that the vendors use. */
export interface WireUsage {
  readonly prompt_tokens?: WireCount;
  readonly completion_tokens?: WireCount;
  readonly input_tokens?: WireCount;
  readonly output_tokens?: WireCount;
  readonly total_tokens?: WireCount;
  readonly prompt_cache_hit_tokens?: WireCount;
  readonly cached_tokens?: WireCount;
  readonly prompt_tokens_details?: WireInputDetails | null;
  readonly input_tokens_details?: WireInputDetails | null;
  readonly completion_tokens_details?: WireOutputDetails | null;
  readonly output_tokens_details?: WireOutputDetails | null;
}

/** A chat completion, whole or one chunk of it. */
export interface WireReply {
  readonly choices?: readonly {
    readonly message?: WireMessage | null;
    readonly delta?: WireMessage | null;
    readonly finish_reason?: string | null;
    readonly usage?: WireUsage | null;
  }[];
  readonly usage?: WireUsage | null;
}
