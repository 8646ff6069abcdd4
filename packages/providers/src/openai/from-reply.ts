import type {
  AssistantMessage,
  Delta,
  FinishReason,
  ProviderReply,
  ToolCall,
} from "@loopwright/core/plugin";
import { ProviderError } from "@loopwright/core/plugin";
import { finishCalls, ToolCallParts, toArgumentsText } from "./tool-call-parts.ts";
import { toUsage } from "./usage.ts";
import type { WireMessage, WireReply, WireUsage } from "./wire.ts";

/** Translates a whole chat completion; `idPrefix` begins the ids of calls that came without. */
export function fromReply(reply: unknown, idPrefix: string): ProviderReply {
  if (typeof reply !== "object" || reply === null) throw unreadable(reply);
  const { choices, usage } = reply as WireReply;
  const choice = Array.isArray(choices)
    ? (choices as NonNullable<WireReply["choices"]>)[0]
    : undefined;
  const message = choice?.message;
  if (message === undefined || message === null) throw unreadable(reply);
  const calls = (message.tool_calls ?? []).map((call) => ({
    id: call.id ?? "",
    name: call.function?.name ?? "",
    arguments: toArgumentsText(call.function?.arguments),
  }));
  return toProviderReply(
    {
      text: toText(message.content),
      reasoning: reasoningOf(message),
      reasoningContent: message.reasoning_content,
      refusal: message.refusal ?? "",
      finishReason: choice?.finish_reason ?? undefined,
      usage,
    },
    finishCalls(calls, idPrefix),
  );
}

/** Puts a reply together from the chunks of a stream. */
export class ReplyParts {
  #hasChoice = false;
  #text = "";
  #reasoning = "";
  #reasoningContent: string | undefined;
  #refusal = "";
  #finishReason: string | undefined;
  #usage: WireUsage | undefined;
  readonly #calls = new ToolCallParts();

  /** Adds a chunk and tells what it says. */
  add(chunk: WireReply, onDelta?: (delta: Delta) => void): void {
    const choice = chunk.choices?.[0];
    // The last count is the whole one; some servers send one with every chunk, some inside the choice.
    this.#usage = chunk.usage ?? choice?.usage ?? this.#usage;
    if (choice === undefined) return;
    this.#hasChoice = true;
    this.#finishReason = choice.finish_reason ?? this.#finishReason;
    const delta = choice.delta ?? choice.message;
    if (delta === null || delta === undefined) return;
    const reasoning = reasoningOf(delta);
    const text = toText(delta.content);
    this.#reasoning += reasoning;
    this.#text += text;
    this.#refusal += delta.refusal ?? "";
    if (typeof delta.reasoning_content === "string") {
      this.#reasoningContent = (this.#reasoningContent ?? "") + delta.reasoning_content;
    }
    for (const call of delta.tool_calls ?? []) this.#calls.add(call);
    if (reasoning !== "") onDelta?.({ kind: "reasoning", text: reasoning });
    if (text !== "") onDelta?.({ kind: "text", text });
  }

  finish(idPrefix: string): ProviderReply {
    if (!this.#hasChoice) throw unreadable("a stream without a reply");
    if (this.#finishReason === undefined) {
      throw new ProviderError(
        "provider-failed",
        "The stream ended before the reply was finished. Try again.",
        { retryable: true },
      );
    }
    return toProviderReply(
      {
        text: this.#text,
        reasoning: this.#reasoning,
        reasoningContent: this.#reasoningContent,
        refusal: this.#refusal,
        finishReason: this.#finishReason,
        usage: this.#usage,
      },
      this.#calls.finish(idPrefix),
    );
  }
}

interface Said {
  readonly text: string;
  readonly reasoning: string;
  readonly reasoningContent: unknown;
  readonly refusal: string;
  readonly finishReason: string | undefined;
  readonly usage: WireUsage | null | undefined;
}

function toProviderReply(said: Said, toolCalls: readonly ToolCall[]): ProviderReply {
  const { text, reasoning, reasoningContent } = said;
  // Thinking endpoints want it back beside the calls it led to, also when it is empty.
  const keep = toolCalls.length > 0 && typeof reasoningContent === "string";
  const message: AssistantMessage = {
    role: "assistant",
    text,
    reasoning,
    toolCalls,
    ...(keep ? { opaque: { reasoning_content: reasoningContent } } : {}),
  };
  return {
    message,
    usage: toUsage(said.usage),
    finishReason: toFinishReason(said.finishReason, toolCalls.length > 0),
    ...(said.refusal === "" ? {} : { refusal: said.refusal }),
  };
}

function toFinishReason(reason: string | undefined, hasCalls: boolean): FinishReason {
  if (reason === "length" || reason === "max_tokens") return "length";
  if (reason === "content_filter") return "content-filter";
  if (hasCalls) return "tool-calls";
  // Some servers say `tool_calls` and send none.
  return ["stop", "tool_calls", "eos", undefined].includes(reason) ? "stop" : "other";
}

function reasoningOf(message: WireMessage): string {
  return toText(message.reasoning_content) || toText(message.reasoning);
}

/** Content is text, or a list of parts of which the text counts. */
function toText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) =>
      typeof part === "object" && part !== null && "text" in part ? part.text : "",
    )
    .filter((text) => typeof text === "string")
    .join("");
}

function unreadable(reply: unknown): ProviderError {
  const said = typeof reply === "string" ? reply : JSON.stringify(reply ?? null);
  return new ProviderError(
    "provider-failed",
    `The endpoint did not answer with a chat completion but with: ${said.slice(0, 200)}. ` +
      "Check `baseUrl` (it usually ends in /v1), or set `stream: false` where the server can't stream.",
    { details: { reply: said.slice(0, 1_000) } },
  );
}
