import type { ModelEntry } from "../compile/program.ts";
import type { EventData, Fault } from "../contracts/event.ts";
import type { JsonSchema } from "../contracts/json.ts";
import type { Message } from "../contracts/message.ts";
import {
  NO_USAGE,
  type ProviderReply,
  type ProviderRequest,
  type Sampling,
  type ToolDescription,
} from "../contracts/provider.ts";
import {
  AbortError,
  isLoopwrightError,
  LimitError,
  messageOf,
  ProviderError,
} from "../errors/loopwright-error.ts";
import type { Scope } from "../events/scope.ts";
import { costOf, estimateOf } from "./model-cost.ts";
import { askProvider } from "./provider-call.ts";
import { childScope, type Frame } from "./run-scope.ts";
import { WireRequest } from "./wire-request.ts";

/** What one model call needs, whichever model answers it. */
export interface ModelRequest {
  readonly voice: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  readonly output?: { readonly name: string; readonly schema: JsonSchema };
  readonly sampling: Sampling;
}

/** Calls a model, then its fallbacks in order while the endpoints fail; every attempt is an event and counts as a request. */
export async function callModel(
  frame: Frame,
  key: string,
  entry: ModelEntry,
  request: ModelRequest,
): Promise<ProviderReply> {
  const chain = frame.purpose === "conclusion" ? [entry] : [entry, ...entry.fallback];
  for (const [index, model] of chain.entries()) {
    const attemptKey = index === 0 ? key : `${key}.fallback:${index}`;
    const next = chain[index + 1];
    const reply = await callOnce(frame, attemptKey, model, request, next);
    if (reply !== undefined) return reply;
  }
  throw new ProviderError(
    "provider-failed",
    `no model could answer stage \`${frame.scope.stage}\``,
  );
}

/** One attempt; undefined when the endpoint failed and another model may try. */
async function callOnce(
  frame: Frame,
  key: string,
  entry: ModelEntry,
  request: ModelRequest,
  next: ModelEntry | undefined,
): Promise<ProviderReply | undefined> {
  frame.signal.throwIfAborted();
  const { linked, bus } = frame.run;
  const provider = linked.instances.provider(entry);
  const price = entry.price ?? provider.capabilities(entry.model).price;
  const wire = toProviderRequest(frame, key, entry, request);
  const estimate = estimateOf(wire, price);
  frame.ledger.reserveModelCall(estimate, frame.purpose);
  const scope = childScope(frame, key);
  tellStart(frame, scope, entry, wire);
  const startedAt = linked.clock.now();
  const end = (data: CallEnd): void => {
    frame.ledger.settleModelCall(estimate, data.usage, data.usd);
    bus.emit(
      "model-call.end",
      { model: entry.id, ...data, durationMs: linked.clock.now() - startedAt },
      scope,
    );
  };
  try {
    const reply = await askProvider(frame, scope, provider, wire);
    end({ ...endOf(reply), usd: costOf(reply.usage, price) });
    return reply;
  } catch (thrown) {
    const fault = asProviderFault(frame, thrown, entry);
    const told = faultOf(fault);
    end({ ...NOTHING_SAID, outcome: outcomeOf(fault), fault: told });
    if (next === undefined || frame.signal.aborted) throw fault;
    bus.emit("call.retried", { model: entry.id, nextModel: next.id, fault: told }, scope);
    return undefined;
  }
}

type CallEnd = Omit<EventData["model-call.end"], "model" | "durationMs">;

const NOTHING_SAID = { text: "", reasoning: "", toolCalls: [], usage: NO_USAGE, usd: 0 };

function toProviderRequest(
  frame: Frame,
  key: string,
  entry: ModelEntry,
  request: ModelRequest,
): ProviderRequest {
  const { redactor } = frame.run.linked;
  return new WireRequest({
    model: entry.model,
    messages: redactor.list(request.messages),
    tools: request.tools,
    ...(request.output === undefined ? {} : { output: request.output }),
    sampling: { ...entry.sampling, ...request.sampling },
    key,
    runId: frame.run.id,
    stage: frame.scope.stage,
    voice: request.voice,
    inputs: frame.run.inputs,
  });
}

function tellStart(frame: Frame, scope: Scope, entry: ModelEntry, wire: ProviderRequest): void {
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
      ...(wire.output === undefined ? {} : { schema: wire.output.name }),
      requestHash: wire.requestHash ?? "",
    },
    scope,
  );
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

function endOf(reply: ProviderReply): Omit<CallEnd, "usd"> {
  const { text, reasoning, toolCalls, opaque } = reply.message;
  const { finishReason, usage } = reply;
  const extra = opaque === undefined ? {} : { opaque };
  return { outcome: "done", text, reasoning, toolCalls, ...extra, finishReason, usage };
}

/** Why a call failed: what ended the frame, else the endpoint; a provider can neither abort a run nor limit it. */
function asProviderFault(frame: Frame, thrown: unknown, entry: ModelEntry): Error {
  if (frame.signal.aborted) return frame.signal.reason as Error;
  if (isLoopwrightError(thrown) && thrown.family === "ProviderError") return thrown;
  return new ProviderError("provider-failed", `${entry.id} failed: ${messageOf(thrown)}`, {
    cause: thrown,
    retryable: true,
  });
}

function outcomeOf(fault: Error): "aborted" | "limited" | "failed" {
  if (fault instanceof AbortError) return "aborted";
  return fault instanceof LimitError ? "limited" : "failed";
}

/** An error as plain data. */
export function faultOf(fault: unknown): Fault {
  return isLoopwrightError(fault)
    ? { code: fault.code, message: fault.message }
    : { code: "contract-broken", message: messageOf(fault) };
}
