import type { TimedCall } from "../calls/timed-call.ts";
import type { Json } from "../contracts/json.ts";
import type { AssistantMessage, ToolCall, Usage } from "../contracts/message.ts";
import {
  type Delta,
  NO_USAGE,
  type Provider,
  type ProviderReply,
  type ProviderRequest,
} from "../contracts/provider.ts";
import { ProviderError } from "../errors/loopwright-error.ts";
import type { Redactor } from "../events/redactor.ts";
import type { Scope } from "../events/scope.ts";
import type { Frame } from "./run-scope.ts";

/** Asks a provider in limited time and tells the pieces of the reply on their way; ends with the frame's signal. */
export function askProvider(
  frame: Frame,
  scope: Scope,
  provider: Provider,
  wire: ProviderRequest,
  timed: TimedCall,
): Promise<ProviderReply> {
  if (frame.run.bus.hears("model-call.delta"))
    return listenTo(new Pieces(frame, scope), provider, wire, timed);
  const { signal, onActivity } = timed;
  return timed.run(() => provider.generate(wire, { signal, onActivity }));
}

async function listenTo(
  pieces: Pieces,
  provider: Provider,
  wire: ProviderRequest,
  timed: TimedCall,
): Promise<ProviderReply> {
  const { signal, onActivity } = timed;
  const onDelta = (delta: Delta): void => {
    onActivity();
    pieces.add(delta);
  };
  try {
    const reply = await timed.run(() => provider.generate(wire, { signal, onDelta, onActivity }));
    pieces.end();
    return reply;
  } finally {
    pieces.close();
  }
}

/** Looks at what a provider returned before it is used: it is whole, and holds no secret. */
export function receive(frame: Frame, reply: ProviderReply): ProviderReply {
  return withoutSecrets(frame, checkReply(reply));
}

/** Tells the pieces of one reply without secrets, until the call is over. */
class Pieces {
  readonly #tell: (delta: Delta) => void;
  readonly #filters: Readonly<Record<Delta["kind"], ReturnType<Redactor["stream"]>>>;
  #isOver = false;

  constructor(frame: Frame, scope: Scope) {
    const { bus, linked } = frame.run;
    this.#filters = { text: linked.redactor.stream(), reasoning: linked.redactor.stream() };
    this.#tell = (delta) => {
      if (delta.text !== "" && !this.#isOver) bus.emit("model-call.delta", delta, scope);
    };
  }

  add({ kind, text }: Delta): void {
    this.#tell({ kind, text: this.#filters[kind].push(text) });
  }

  /** Tells what the filters held back. */
  end(): void {
    for (const kind of ["reasoning", "text"] as const)
      this.#tell({ kind, text: this.#filters[kind].end() });
  }

  close(): void {
    this.#isOver = true;
  }
}

/** A provider is somebody's code: what it returns is looked at before it is used, and kept as it is where nothing is missing. */
function checkReply(reply: ProviderReply): ProviderReply {
  const message = reply?.message;
  if (typeof message?.text !== "string" || !areCalls(message.toolCalls)) {
    throw new ProviderError(
      "provider-failed",
      "the provider returned a reply without text or tool calls; its package must be mended",
    );
  }
  const reasoning = (message.reasoning as string | undefined) ?? "";
  const toolCalls = withOwnIds(message.toolCalls);
  const usage = countable(reply.usage);
  const finishReason = reply.finishReason ?? "other";
  const isWhole =
    reasoning === message.reasoning &&
    toolCalls === message.toolCalls &&
    usage === reply.usage &&
    finishReason === reply.finishReason;
  return isWhole
    ? reply
    : { ...reply, usage, finishReason, message: { ...message, reasoning, toolCalls } };
}

function areCalls(calls: unknown): calls is readonly ToolCall[] {
  return (
    Array.isArray(calls) &&
    calls.every(
      (call: Partial<ToolCall> | undefined) =>
        typeof call?.id === "string" &&
        typeof call.name === "string" &&
        typeof call.arguments === "string",
    )
  );
}

/** A usage as it is where every part of it is a number; with zeros for the parts that are missing; none where it is nonsense. */
export function countable(usage: Usage | undefined): Usage {
  if (usage === undefined || usage === null) return NO_USAGE;
  const isCount = (value: number): boolean => Number.isFinite(value) && value >= 0;
  if (USAGE_PARTS.every((part) => isCount(usage[part]))) return usage;
  const told = { ...NO_USAGE, ...usage };
  return Object.values(told).every(isCount) ? told : NO_USAGE;
}

const USAGE_PARTS = Object.keys(NO_USAGE) as readonly (keyof Usage)[];

/** Some endpoints leave the ids of parallel calls out, or give all of them the same one. */
function withOwnIds(calls: readonly ToolCall[]): readonly ToolCall[] {
  if (
    calls.every(({ id }, index) => id !== "" && calls.findIndex((one) => one.id === id) === index)
  )
    return calls;
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
  const clean = redactor.data(reply.message as unknown as Json) as unknown as AssistantMessage;
  const message = clean.opaque === reply.message.opaque ? clean : withoutOpaque(clean);
  if (reply.refusal === undefined) return message === reply.message ? reply : { ...reply, message };
  return { ...reply, message, refusal: redactor.text(reply.refusal) };
}

/** What an endpoint signed is worth nothing once a word of it is struck out: it would refuse the next request. */
function withoutOpaque(message: AssistantMessage): AssistantMessage {
  const { role, text, reasoning, toolCalls } = message;
  return { role, text, reasoning, toolCalls };
}
