import type { AssistantMessage, JsonObject } from "@loopwright/core/plugin";
import type { WireBlock } from "./message-wire.ts";

/** The field of `opaque` under which a message keeps its thinking. */
const FIELD = "content";

/**
 * What a message with calls must keep for the next request: its thinking as it came, signatures included, and the order in
 * which thinking, text and calls stood. Calls are named by their ids, because their arguments stand in the message.
 */
export function keptBlocks(blocks: readonly WireBlock[]): JsonObject | undefined {
  const isThought = blocks.some(({ type }) => isThinking(type));
  const hasCalls = blocks.some(({ type }) => type === "tool_use");
  if (!isThought || !hasCalls) return undefined;
  const kept = blocks.flatMap((block): readonly JsonObject[] => {
    if (isThinking(block.type)) return [block as JsonObject];
    if (block.type === "text") return [{ type: "text", text: block.text ?? "" }];
    return block.type === "tool_use" ? [{ type: "tool_use", id: block.id ?? "" }] : [];
  });
  return { [FIELD]: kept };
}

/** What a message kept, where it was said by a model of this protocol. */
export function blocksOf({ opaque }: AssistantMessage): readonly JsonObject[] | undefined {
  const kept = opaque?.[FIELD];
  return Array.isArray(kept) ? (kept as readonly JsonObject[]) : undefined;
}

function isThinking(type: string | undefined): boolean {
  return type === "thinking" || type === "redacted_thinking";
}
