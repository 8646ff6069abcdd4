import type { JsonObject } from "@loopwright/core/plugin";

/** A block of a reply's content; blocks of other types are passed over. */
export interface WireBlock {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  /** What a block of hidden thinking holds. */
  readonly data?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
}

/** Token counts; those of the input leave out what the cache read or wrote. */
export interface WireTokens {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null } | null;
}

/** Why a reply ended, as a whole message and the end of a stream tell it. */
export interface WireEnding {
  readonly stop_reason?: string | null;
  readonly stop_details?: { readonly explanation?: string | null } | null;
}

/** A whole reply. */
export interface WireMessage extends WireEnding {
  readonly content?: readonly WireBlock[];
  readonly usage?: WireTokens | null;
}

/** An event of a streamed reply. */
export interface WireEvent {
  readonly type?: string;
  readonly index?: number;
  readonly message?: WireMessage | null;
  readonly content_block?: WireBlock | null;
  readonly delta?:
    | (WireEnding & {
        readonly type?: string;
        readonly text?: string;
        readonly thinking?: string;
        readonly signature?: string;
        readonly partial_json?: string;
      })
    | null;
  readonly usage?: WireTokens | null;
}

/** A turn of a conversation as it is sent. */
export interface WireTurn {
  readonly role: "user" | "assistant";
  readonly content: readonly JsonObject[];
}
