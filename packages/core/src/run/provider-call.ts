import type { ToolCall } from "../contracts/message.ts";
import {
  NO_USAGE,
  type Provider,
  type ProviderReply,
  type ProviderRequest,
} from "../contracts/provider.ts";
import { ProviderError } from "../errors/loopwright-error.ts";
import type { Scope } from "../events/scope.ts";
import type { Frame } from "./run-scope.ts";
import { untilAborted } from "./until-aborted.ts";

/** Asks a provider, tells the pieces of the reply on their way, and looks at what came back; ends with the frame's signal. */
export async function askProvider(
  frame: Frame,
  scope: Scope,
  provider: Provider,
  wire: ProviderRequest,
): Promise<ProviderReply> {
  const signal = frame.signal;
  const isHeard = frame.run.bus.hears("model-call.delta");
  const filters = {
    text: frame.run.linked.redactor.stream(),
    reasoning: frame.run.linked.redactor.stream(),
  };
  let isOver = false;
  const emit = (kind: "text" | "reasoning", text: string): void => {
    if (text !== "" && !isOver) frame.run.bus.emit("model-call.delta", { kind, text }, scope);
  };
  const onDelta = isHeard
    ? {
        onDelta: (delta: { kind: "text" | "reasoning"; text: string }) =>
          emit(delta.kind, filters[delta.kind].push(delta.text)),
      }
    : {};
  try {
    const reply = await untilAborted(() => provider.generate(wire, { signal, ...onDelta }), signal);
    if (isHeard) for (const kind of ["reasoning", "text"] as const) emit(kind, filters[kind].end());
    return withoutSecrets(frame, checkReply(reply));
  } finally {
    isOver = true;
  }
}

/** A provider is somebody's code: what it returns is looked at before it is used. */
function checkReply(reply: ProviderReply): ProviderReply {
  const message = reply?.message;
  const isWhole =
    typeof message?.text === "string" &&
    Array.isArray(message.toolCalls) &&
    message.toolCalls.every(
      (call) =>
        typeof call?.id === "string" &&
        typeof call.name === "string" &&
        typeof call.arguments === "string",
    );
  if (!isWhole)
    throw new ProviderError(
      "provider-failed",
      "the provider returned a reply without text or tool calls; its package must be mended",
    );
  const told = { ...NO_USAGE, ...reply.usage };
  const isCountable = Object.values(told).every((value) => Number.isFinite(value) && value >= 0);
  return {
    ...reply,
    usage: isCountable ? told : NO_USAGE,
    finishReason: reply.finishReason ?? "other",
    message: {
      ...message,
      reasoning: message.reasoning ?? "",
      toolCalls: withOwnIds(message.toolCalls),
    },
  };
}

/** Some endpoints leave the ids of parallel calls out, or give all of them the same one. */
function withOwnIds(calls: readonly ToolCall[]): readonly ToolCall[] {
  const used = new Set<string>();
  return calls.map((call, index) => {
    const isOwn = call.id !== "" && !used.has(call.id);
    const id = isOwn ? call.id : `${call.id === "" ? "call" : call.id}_${index}`;
    used.add(id);
    return isOwn ? call : { ...call, id };
  });
}

/** A model may have read a secret somewhere; what it says goes into answers, arguments and later prompts. */
function withoutSecrets(frame: Frame, reply: ProviderReply): ProviderReply {
  const { redactor } = frame.run.linked;
  // Looked at once: the next request says it again.
  const [message = reply.message] = redactor.list([reply.message]);
  if (reply.refusal === undefined) return message === reply.message ? reply : { ...reply, message };
  return { ...reply, message, refusal: redactor.text(reply.refusal) };
}
