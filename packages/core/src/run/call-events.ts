import type { EventData } from "../contracts/event.ts";
import type { Message } from "../contracts/message.ts";
import type { Dialect } from "../contracts/schema-dialect.ts";
import { NO_USAGE, type ProviderReply, type ProviderRequest } from "../contracts/provider.ts";
import type { Scope } from "../events/scope.ts";
import type { ModelEntry } from "../program/program.ts";
import type { Frame } from "./run-scope.ts";

/** How a call ended, as its event tells it beside the model and the time. */
export type CallEnd = Omit<EventData["model-call.end"], "model" | "durationMs">;

/** A call without a reply. */
export const NOTHING_SAID: Pick<CallEnd, "text" | "reasoning" | "toolCalls" | "usage" | "usd"> = {
  text: "",
  reasoning: "",
  toolCalls: [],
  usage: NO_USAGE,
  usd: 0,
};

/** Tells that a call goes out, with the messages that no event of the frame held yet. */
export function tellStart(
  frame: Frame,
  scope: Scope,
  entry: ModelEntry,
  wire: ProviderRequest,
): void {
  const before = commonPrefix(frame.lastMessages, wire.messages);
  frame.lastMessages = wire.messages;
  if (!frame.run.bus.hears("model-call.start")) return;
  frame.run.bus.emit(
    "model-call.start",
    {
      model: entry.id,
      voice: wire.voice,
      messages: wire.messages.slice(before),
      messagesBefore: before,
      tools: wire.tools.map((tool) => tool.name),
      ...(wire.output === undefined ? {} : { schema: wire.output.name, layer: wire.output.layer }),
      requestHash: wire.requestHash ?? "",
    },
    scope,
  );
}

/** The end of a call that brought a reply. */
export function endOf(reply: ProviderReply, usd: number, dialect: Dialect | undefined): CallEnd {
  const { text, reasoning, toolCalls, opaque } = reply.message;
  const { finishReason, usage } = reply;
  const extra = {
    ...(opaque === undefined ? {} : { opaque }),
    ...(dialect === undefined ? {} : { dialect }),
    ...(reply.isUsageEstimated === true ? { isUsageEstimated: true } : {}),
  };
  return { outcome: "done", text, reasoning, toolCalls, ...extra, finishReason, usage, usd };
}

function commonPrefix(last: readonly object[], messages: readonly Message[]): number {
  let length = 0;
  while (
    length < last.length &&
    length < messages.length &&
    sameMessage(last[length] as Message, messages[length] as Message)
  )
    length++;
  return length;
}

function sameMessage(a: Message, b: Message): boolean {
  return a === b || (a.role === "system" && b.role === "system" && a.text === b.text);
}
