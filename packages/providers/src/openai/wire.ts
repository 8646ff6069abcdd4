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

/** Token counts, in the names that the vendors use. */
export interface WireUsage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly total_tokens?: number | null;
  readonly prompt_cache_hit_tokens?: number | null;
  readonly cached_tokens?: number | null;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number | null;
    readonly cache_creation_input_tokens?: number | null;
    readonly cache_write_tokens?: number | null;
  } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
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
