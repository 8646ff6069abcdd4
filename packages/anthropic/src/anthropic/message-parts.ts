import { type Delta, ProviderError, type ProviderReply } from "@loopwright/core/plugin";
import { toMessageReply } from "./from-message.ts";
import { laterTokens } from "./message-usage.ts";
import type { WireBlock, WireEnding, WireEvent, WireTokens } from "./message-wire.ts";
import { NotAMessage } from "./not-a-message.ts";

type OpenBlock = { -readonly [Key in keyof WireBlock]: WireBlock[Key] };

/** Puts a reply together from the events of a stream. */
export class MessageParts {
  readonly #blocks = new Map<number, OpenBlock>();
  #tokens: WireTokens | undefined;
  #ending: WireEnding = {};
  #hasBegun = false;
  #isWhole = false;

  /** Adds an event and tells what it says; events of other types are passed over. */
  add(event: WireEvent, onDelta?: (delta: Delta) => void): void {
    switch (event.type) {
      case "message_start":
        this.#hasBegun = true;
        this.#tokens = laterTokens(this.#tokens, event.message?.usage);
        break;
      case "content_block_start":
        this.#open(event, onDelta);
        break;
      case "content_block_delta":
        this.#grow(event, onDelta);
        break;
      case "message_delta":
        this.#tokens = laterTokens(this.#tokens, event.usage);
        this.#ending = { ...this.#ending, ...event.delta };
        break;
      case "message_stop":
        this.#isWhole = true;
        break;
      default:
    }
  }

  /** True once the stream has said that nothing more follows. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  finish(): ProviderReply {
    if (!this.#hasBegun) throw new NotAMessage("a stream without a message");
    if (!this.#isWhole) {
      throw new ProviderError(
        "provider-failed",
        "The stream ended before the reply was finished. Try again.",
        { retryable: true },
      );
    }
    const inOrder = [...this.#blocks].toSorted(([a], [b]) => a - b);
    return toMessageReply(
      inOrder.map(([, block]) => block),
      this.#tokens,
      this.#ending,
    );
  }

  #open({ index = 0, content_block: begun }: WireEvent, onDelta?: (delta: Delta) => void): void {
    if (begun === null || begun === undefined) return;
    // The arguments of a call come in pieces of text; the empty object at its start is no part of them.
    const isCall = begun.type === "tool_use";
    const hasInput = isCall && Object.keys(begun.input ?? {}).length > 0;
    this.#blocks.set(index, isCall && !hasInput ? { ...begun, input: "" } : { ...begun });
    tell("text", begun.text, onDelta);
    tell("reasoning", begun.thinking, onDelta);
  }

  #grow({ index = 0, delta }: WireEvent, onDelta?: (delta: Delta) => void): void {
    const block = this.#blocks.get(index);
    if (block === undefined || delta === null || delta === undefined) return;
    switch (delta.type) {
      case "text_delta":
        block.text = (block.text ?? "") + (delta.text ?? "");
        tell("text", delta.text, onDelta);
        break;
      case "thinking_delta":
        block.thinking = (block.thinking ?? "") + (delta.thinking ?? "");
        tell("reasoning", delta.thinking, onDelta);
        break;
      case "signature_delta":
        block.signature = (block.signature ?? "") + (delta.signature ?? "");
        break;
      case "input_json_delta":
        block.input = withPiece(block.input, delta.partial_json ?? "");
        break;
      default:
    }
  }
}

function withPiece(input: unknown, piece: string): unknown {
  if (piece === "") return input;
  return typeof input === "string" ? input + piece : piece;
}

function tell(
  kind: Delta["kind"],
  text: string | undefined,
  onDelta: ((delta: Delta) => void) | undefined,
): void {
  if (text !== undefined && text !== "") onDelta?.({ kind, text });
}
