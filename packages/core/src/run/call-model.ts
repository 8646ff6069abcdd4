import type { ModelEntry } from "../program/program.ts";
import type { EventData, Fault } from "../contracts/event.ts";
import type { JsonSchema } from "../contracts/json.ts";
import type { AssistantMessage, Message } from "../contracts/message.ts";
import {
  NO_USAGE,
  type Provider,
  type ProviderReply,
  type ProviderRequest,
  type Sampling,
  type ToolDescription,
} from "../contracts/provider.ts";
import {
  AbortError,
  InternalError,
  isLoopwrightError,
  LimitError,
  messageOf,
  ProviderError,
} from "../errors/loopwright-error.ts";
import type { Scope } from "../events/scope.ts";
import { costOf, needOf, NO_NEED } from "./model-cost.ts";
import { askProvider, receive } from "./provider-call.ts";
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
export function callModel(
  frame: Frame,
  key: string,
  entry: ModelEntry,
  request: ModelRequest,
): Promise<ProviderReply> {
  return entry.fallback.length === 0 || frame.purpose === "conclusion"
    ? (callOnce(frame, key, entry, request, undefined) as Promise<ProviderReply>)
    : callInTurn(frame, key, [entry, ...entry.fallback], request);
}

async function callInTurn(
  frame: Frame,
  key: string,
  chain: readonly ModelEntry[],
  request: ModelRequest,
): Promise<ProviderReply> {
  for (const [index, model] of chain.entries()) {
    const attemptKey = index === 0 ? key : `${key}.fallback:${index}`;
    const reply = await callOnce(frame, attemptKey, model, request, chain[index + 1]);
    if (reply !== undefined) return reply;
  }
  throw new InternalError("contract-broken", "the last model neither answered nor failed");
}

/** One attempt; undefined when the endpoint failed and the `next` model may try, so never where there is none. */
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
  const scope = childScope(frame, key);
  const lacking = toolsLacking(frame, entry, provider, request);
  if (lacking !== undefined) {
    if (next === undefined) throw lacking;
    const told = faultOf(lacking);
    bus.emit("call.retried", { model: entry.id, nextModel: next.id, fault: told }, scope);
    return undefined;
  }
  const price = entry.price ?? provider.capabilities(entry.model).price;
  const asked = toProviderRequest(frame, key, entry, request);
  const need = frame.ledger.isMetered ? needOf(asked, price) : NO_NEED;
  const reserved = frame.ledger.reserveModelCall(need, frame.purpose);
  const wire = bounded(asked, reserved.maxTokens);
  tellStart(frame, scope, entry, wire);
  const startedAt = linked.clock.now();
  const end = (data: CallEnd): void => {
    bus.emit(
      "model-call.end",
      { model: entry.id, ...data, durationMs: linked.clock.now() - startedAt },
      scope,
    );
  };
  try {
    const reply = signed(receive(frame, await askProvider(frame, scope, provider, wire)), entry);
    const usd = costOf(reply.usage, price);
    frame.ledger.settleModelCall(reserved, reply.usage, usd);
    end({ ...endOf(reply), usd });
    return reply;
  } catch (thrown) {
    const fault = asProviderFault(frame, thrown, entry);
    const told = faultOf(fault);
    frame.ledger.settleFailedCall(reserved);
    end({ ...NOTHING_SAID, outcome: outcomeOf(fault), fault: told });
    if (next === undefined || frame.signal.aborted) throw fault;
    bus.emit("call.retried", { model: entry.id, nextModel: next.id, fault: told }, scope);
    return undefined;
  }
}

/** The request with what the limits leave for its reply. */
function bounded(wire: ProviderRequest, maxTokens: number | undefined): ProviderRequest {
  const { sampling } = wire;
  if (maxTokens === undefined || maxTokens === sampling.maxTokens) return wire;
  return new WireRequest({ ...wire, sampling: { ...sampling, maxTokens } });
}

/** Why a model can't be asked: it is offered tools and has none; told before a call is spent on it. */
function toolsLacking(
  frame: Frame,
  entry: ModelEntry,
  provider: Provider,
  request: ModelRequest,
): ProviderError | undefined {
  if (request.tools.length === 0 || provider.capabilities(entry.model).tools) return undefined;
  return new ProviderError(
    "provider-rejected",
    `${entry.id} can't call tools, and stage \`${frame.scope.stage}\` offers it ${request.tools.length}: give the stage another \`model\`, or \`tools: none\``,
    { details: { model: entry.id, stage: frame.scope.stage } },
  );
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
  frame.lastClean = redactor.list(request.messages, frame.lastClean);
  return new WireRequest({
    model: entry.model,
    messages: addressed(frame.lastClean.items as readonly Message[], entry),
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

/** Notes beside a vendor's fields which model they belong to. */
function signed(reply: ProviderReply, { id }: ModelEntry): ProviderReply {
  const { opaque } = reply.message;
  return opaque === undefined ? reply : { ...reply, message: { ...reply.message, model: id } };
}

const forAuthor = new WeakMap<Message, Message>();
const forOthers = new WeakMap<Message, Message>();

/** Messages as a model gets them: a vendor's fields go to their own model alone; the same message always becomes the same object. */
function addressed(messages: readonly Message[], { id }: ModelEntry): readonly Message[] {
  return messages.some(isSigned)
    ? messages.map((message) => (isSigned(message) ? readdressed(message, id) : message))
    : messages;
}

type Signed = AssistantMessage & { readonly model: string };

function isSigned(message: Message): message is Signed {
  return message.role === "assistant" && message.model !== undefined;
}

function readdressed(message: Signed, id: string): Message {
  const { model, opaque, ...said } = message;
  const made = model === id ? forAuthor : forOthers;
  const wire = made.get(message) ?? (model === id && opaque ? { ...said, opaque } : said);
  made.set(message, wire);
  return wire;
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
