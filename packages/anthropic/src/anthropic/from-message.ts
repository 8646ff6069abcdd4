import type { FinishReason, ProviderReply, ToolCall } from "@loopwright/core/plugin";
import { keptBlocks } from "./kept-blocks.ts";
import { toMessageUsage } from "./message-usage.ts";
import type { WireBlock, WireEnding, WireMessage, WireTokens } from "./message-wire.ts";
import { NotAMessage } from "./not-a-message.ts";

/** Translates a whole reply. */
export function fromMessage(reply: unknown): ProviderReply {
  const { content, usage, ...ending } = (reply ?? {}) as WireMessage;
  if (!Array.isArray(content)) throw new NotAMessage(reply);
  const blocks = content.filter((block) => typeof block === "object" && block !== null);
  return toMessageReply(blocks as readonly WireBlock[], usage, ending);
}

/** Translates the blocks of a reply that is complete. */
export function toMessageReply(
  blocks: readonly WireBlock[],
  tokens: WireTokens | null | undefined,
  ending: WireEnding,
): ProviderReply {
  const toolCalls = blocks.flatMap(toCall);
  const text = joined(blocks, "text");
  const opaque = keptBlocks(blocks);
  const refusal = refusalOf(ending, text);
  return {
    message: {
      role: "assistant",
      text,
      reasoning: joined(blocks, "thinking"),
      toolCalls,
      ...(opaque === undefined ? {} : { opaque }),
    },
    usage: toMessageUsage(tokens),
    finishReason: toFinish(ending.stop_reason, toolCalls.length > 0),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

function joined(blocks: readonly WireBlock[], type: "text" | "thinking"): string {
  return blocks.flatMap((block) => (block.type === type ? [block[type] ?? ""] : [])).join("");
}

function toCall({ type, id = "", name = "", input }: WireBlock): readonly ToolCall[] {
  if (type !== "tool_use" || name === "") return [];
  const text = typeof input === "string" ? input : JSON.stringify(input ?? {});
  return [{ id, name, arguments: text === "" ? "{}" : text }];
}

function toFinish(reason: string | null | undefined, hasCalls: boolean): FinishReason {
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return "length";
  if (reason === "refusal") return "content-filter";
  if (hasCalls) return "tool-calls";
  return ["end_turn", "stop_sequence", "tool_use"].includes(reason ?? "end_turn")
    ? "stop"
    : "other";
}

function refusalOf(
  { stop_reason: reason, stop_details }: WireEnding,
  text: string,
): string | undefined {
  if (reason !== "refusal") return undefined;
  return stop_details?.explanation || text || "The model refused and gave no reason.";
}
