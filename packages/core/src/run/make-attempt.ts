import type { Asking } from "../calls/account.ts";
import {
  isOpen,
  isWatched,
  type LetOut,
  letOut,
  letOutWhenFree,
  noteAnswer,
  noteFault,
} from "../calls/endpoint-gate.ts";
import { TimedCall } from "../calls/timed-call.ts";
import type { Usage } from "../contracts/message.ts";
import { NO_USAGE, type ProviderReply } from "../contracts/provider.ts";
import { isLoopwrightError, ProviderError } from "../errors/loopwright-error.ts";
import type { CallPolicy } from "../program/program.ts";
import { durationText, wholeSeconds } from "../spec/text/duration-text.ts";
import { signed } from "./addressed-messages.ts";
import { callFault, faultOf, outcomeOf } from "./call-fault.ts";
import { type CallEnd, endOf, NOTHING_SAID, tellStart } from "./call-events.ts";
import { undoOf } from "./constraint.ts";
import type { Attempt, ModelCall } from "./model-call.ts";
import { costOf, estimatedUsage, needOf, totalTokens } from "./model-cost.ts";
import type { ModelReply } from "./model-request.ts";
import { askProvider, countable, receive } from "./provider-call.ts";

/** An attempt that brought no reply. */
export class FailedAttempt {
  readonly attempt: Attempt;
  readonly fault: Error;
  /** How far it came: what never went out is not made again, and what had begun to answer is left to no other model either. */
  readonly reached: "unsent" | "sent" | "begun";

  constructor(attempt: Attempt, fault: Error, reached: FailedAttempt["reached"]) {
    this.attempt = attempt;
    this.fault = fault;
    this.reached = reached;
  }
}

/** Makes one attempt as soon as its account lets it go out, in limited time; it is told, and counted as what it used. */
export function makeAttempt(
  call: ModelCall,
  attempt: Attempt,
): Promise<ModelReply | FailedAttempt> {
  const { place } = call;
  return isOpen(place) ? ask(call, attempt, letOut(place)) : askWhenLet(call, attempt);
}

async function askWhenLet(call: ModelCall, attempt: Attempt): Promise<ModelReply | FailedAttempt> {
  const { frame, place } = call;
  let out: LetOut;
  try {
    out = await letOutWhenFree(place, askingOf(call, attempt));
  } catch (thrown) {
    frame.ledger.release(attempt.reserved);
    const fault = callFault(frame.signal, thrown, call.entry.id);
    return new FailedAttempt(attempt, fault, "unsent");
  }
  return ask(call, attempt, out);
}

async function ask(
  call: ModelCall,
  attempt: Attempt,
  out: LetOut,
): Promise<ModelReply | FailedAttempt> {
  const { frame, entry, provider, price, place } = call;
  const { scope, wire, reserved } = attempt;
  const { ledger, signal } = frame;
  const { pass } = out;
  const { clock } = frame.run.linked;
  const streams = call.capabilities.streams === true;
  const { timeout } = entry.calls;
  tellStart(frame, scope, entry, wire);
  const timed = new TimedCall({ clock, signal, timeout, streams, model: entry.id });
  const end = (data: CallEnd): void => {
    const { durationMs } = timed;
    frame.run.bus.emit("model-call.end", { model: entry.id, ...data, durationMs }, scope);
  };
  try {
    const received = receive(frame, await askProvider(frame, scope, provider, wire, timed));
    const reply = signed(withUsage(call, wire, received), entry);
    const usd = costOf(reply.usage, price);
    ledger.settleModelCall(reserved, reply.usage, usd);
    pass?.leave(totalTokens(reply.usage));
    end(endOf(reply, usd, reply.dialect ?? attempt.constraint?.dialect));
    if (isWatched(place)) await noteAnswer(place, out);
    return answered(call, attempt, reply);
  } catch (thrown) {
    const fault = orTooLong(callFault(signal, thrown, entry.id), entry.calls);
    const usage = usageOf(fault);
    const usd = costOf(usage, price);
    if (usage === NO_USAGE) ledger.settleFailedCall(reserved);
    else ledger.settleModelCall(reserved, usage, usd);
    pass?.leave(usage === NO_USAGE ? undefined : totalTokens(usage));
    end({ ...NOTHING_SAID, usage, usd, outcome: outcomeOf(fault), fault: faultOf(fault) });
    await noteFailure(call, attempt, out, fault);
    return new FailedAttempt(attempt, fault, timed.hasBegun ? "begun" : "sent");
  }
}

/** The reply with an estimate of what it took, where its endpoint told nothing; scripts and recordings say what they mean. */
function withUsage(
  { entry: { definition } }: ModelCall,
  wire: Attempt["wire"],
  reply: ProviderReply,
): ProviderReply {
  const isMadeUp = definition.free?.includes(definition.id) === true;
  if (isMadeUp || totalTokens(reply.usage) > 0) return reply;
  return { ...reply, usage: estimatedUsage(wire, reply.message), isUsageEstimated: true };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The reply with how it was asked for. */
function answered(
  { entry, request }: ModelCall,
  { constraint, wire, isCapped }: Attempt,
  { message, usage, finishReason, refusal, dialect = constraint?.dialect }: ProviderReply,
): ModelReply {
  // Written field by field: to spread objects takes longer than all else here.
  const reply: Writable<ModelReply> = { message, usage, finishReason, model: entry.id, isCapped };
  const { maxTokens } = wire.sampling;
  if (refusal !== undefined) reply.refusal = refusal;
  if (maxTokens !== undefined) reply.maxTokens = maxTokens;
  if (request.output !== undefined && dialect !== undefined)
    reply.undo = undoOf(request.output.schema, dialect);
  return reply;
}

function askingOf({ frame, entry, place }: ModelCall, { scope, wire }: Attempt): Asking {
  return {
    model: entry.id,
    tokens: place.account.countsTokens ? reckonedTokens(wire) : 0,
    signal: frame.signal,
    patienceMs: entry.calls.retry.maxMs,
    tell: (reason, waitMs) =>
      frame.run.bus.emit("call.delayed", { model: entry.id, reason, waitMs }, scope),
  };
}

function reckonedTokens(wire: Attempt["wire"]): number {
  const { input, maxTokens = 0 } = needOf(wire, undefined);
  return input.tokens + maxTokens;
}

/** The fault; with the reason where the endpoint asks for a longer wait than the spec allows, so that it is not tried again. */
function orTooLong(fault: Error, { retry }: CallPolicy): Error {
  const { retryAfterMs } = detailsOf(fault);
  const isTooLong = typeof retryAfterMs === "number" && retryAfterMs > retry.maxMs;
  if (!isTooLong || retry.attempts === 1 || !isLoopwrightError(fault)) return fault;
  const { code, details, retryable } = fault;
  const wait = wholeSeconds(retryAfterMs);
  return new ProviderError(
    code,
    `${fault.message.replace(/\.$/u, "")}; it asks to wait ${wait}, longer than the ${durationText(retry.maxMs)} of \`retry.max\`, so the call is not made again`,
    { details, retryable, cause: fault },
  );
}

/** What the endpoint counted although it failed, where the fault says it. */
function usageOf(fault: Error): Usage {
  const { usage } = detailsOf(fault);
  return typeof usage === "object" ? countable(usage as Usage) : NO_USAGE;
}

/** The details of a fault that core reads. */
export function detailsOf(fault: Error): Readonly<Record<string, unknown>> {
  return isLoopwrightError(fault) ? fault.details : {};
}

/** Tells the endpoint's place what the failure says about it. */
async function noteFailure(
  { frame, entry, place }: ModelCall,
  { scope }: Attempt,
  out: LetOut,
  fault: Error,
): Promise<void> {
  const saysNothing = frame.signal.aborted || detailsOf(fault)["replayed"] === true;
  const patienceMs = entry.calls.retry.maxMs;
  const hasOpened = await noteFault(place, out, { fault, saysNothing, patienceMs });
  if (hasOpened && place.breaker !== undefined)
    frame.run.bus.emit("breaker.opened", { model: entry.id, ...place.breaker.settings }, scope);
}
