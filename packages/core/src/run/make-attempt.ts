import type { Pass } from "../calls/account.ts";
import { TimedCall } from "../calls/timed-call.ts";
import type { Usage } from "../contracts/message.ts";
import { NO_USAGE, type ProviderReply } from "../contracts/provider.ts";
import { isLoopwrightError, ProviderError } from "../errors/loopwright-error.ts";
import type { CallPolicy } from "../program/program.ts";
import { durationText } from "../spec/text/duration-text.ts";
import { signed } from "./addressed-messages.ts";
import { callFault, faultOf, outcomeOf } from "./call-fault.ts";
import { type CallEnd, endOf, NOTHING_SAID, tellStart } from "./call-events.ts";
import type { Attempt, ModelCall } from "./model-call.ts";
import { costOf, needOf, totalTokens } from "./model-cost.ts";
import type { ModelReply } from "./model-request.ts";
import { askProvider, countable, receive } from "./provider-call.ts";

/** An attempt that brought no reply. */
export class FailedAttempt {
  readonly attempt: Attempt;
  readonly fault: Error;
  /** False where it never went out, or something of a reply had come: then it is not made again. */
  readonly mayRepeat: boolean;

  constructor(attempt: Attempt, fault: Error, mayRepeat: boolean) {
    this.attempt = attempt;
    this.fault = fault;
    this.mayRepeat = mayRepeat;
  }
}

/** Makes one attempt as soon as its account lets it go out, in limited time; it is told, and counted as what it used. */
export function makeAttempt(
  call: ModelCall,
  attempt: Attempt,
): Promise<ModelReply | FailedAttempt> {
  const { account, breaker } = call.place;
  return account.isFree && breaker?.isCalm !== false
    ? ask(call, attempt, undefined)
    : askWhenLet(call, attempt);
}

async function askWhenLet(call: ModelCall, attempt: Attempt): Promise<ModelReply | FailedAttempt> {
  const { frame, place } = call;
  let pass: Pass | undefined;
  try {
    refuseAtRest(call);
    if (!place.account.isFree) {
      pass = await enterAccount(call, attempt);
      frame.signal.throwIfAborted();
      refuseAtRest(call);
    }
  } catch (thrown) {
    frame.ledger.release(attempt.reserved);
    pass?.leave(0);
    return new FailedAttempt(attempt, callFault(frame.signal, thrown, call.entry.id), false);
  }
  place.breaker?.begin();
  return ask(call, attempt, pass);
}

async function ask(
  call: ModelCall,
  attempt: Attempt,
  pass: Pass | undefined,
): Promise<ModelReply | FailedAttempt> {
  const { frame, entry, provider, price, place } = call;
  const { scope, wire, reserved } = attempt;
  const { ledger, signal } = frame;
  const { clock } = frame.run.linked;
  const streams = call.capabilities.streams === true;
  const { timeout } = entry.calls;
  tellStart(frame, scope, entry, wire);
  const timed = new TimedCall({ clock, signal, timeout, streams, model: entry.id });
  const end = (data: CallEnd): void => {
    const durationMs = clock.now() - timed.startedAt;
    frame.run.bus.emit("model-call.end", { model: entry.id, ...data, durationMs }, scope);
  };
  try {
    const reply = signed(
      receive(frame, await askProvider(frame, scope, provider, wire, timed)),
      entry,
    );
    const usd = costOf(reply.usage, price);
    ledger.settleModelCall(reserved, reply.usage, usd);
    pass?.leave(totalTokens(reply.usage));
    end(endOf(reply, usd));
    if (place.breaker?.isCalm === false) await place.breaker.succeeded();
    return answered(call, attempt, reply);
  } catch (thrown) {
    const fault = orTooLong(callFault(signal, thrown, entry.id), entry.calls);
    const usage = usageOf(fault);
    const usd = costOf(usage, price);
    if (usage === NO_USAGE) ledger.settleFailedCall(reserved);
    else ledger.settleModelCall(reserved, usage, usd);
    pass?.leave(usage === NO_USAGE ? undefined : totalTokens(usage));
    end({ ...NOTHING_SAID, usage, usd, outcome: outcomeOf(fault), fault: faultOf(fault) });
    await noteFailure(call, attempt, fault);
    return new FailedAttempt(attempt, fault, !timed.hasBegun);
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The reply with how it was asked for. */
function answered(
  { entry }: ModelCall,
  { constraint, wire, isCapped }: Attempt,
  { message, usage, finishReason, refusal }: ProviderReply,
): ModelReply {
  // Written field by field: to spread objects takes longer than all else here.
  const reply: Writable<ModelReply> = { message, usage, finishReason, model: entry.id, isCapped };
  const { maxTokens } = wire.sampling;
  if (refusal !== undefined) reply.refusal = refusal;
  if (maxTokens !== undefined) reply.maxTokens = maxTokens;
  if (constraint !== undefined) reply.undo = constraint.undo;
  return reply;
}

/** Fails a call at once while its endpoint rests. */
function refuseAtRest({ entry, place }: ModelCall): void {
  const restMs = place.breaker?.restMs();
  if (restMs === undefined) return;
  const until =
    restMs === 0
      ? "until the call that tries it has ended"
      : `for ${durationText(Math.ceil(restMs))} more`;
  throw new ProviderError(
    "provider-unavailable",
    `${entry.id} failed too often in a row: no call goes there ${until}; try again then, give the model a \`fallback\`, or change its \`breaker\``,
    { retryable: true, details: { model: entry.id, restMs } },
  );
}

function enterAccount({ frame, entry, place }: ModelCall, attempt: Attempt): Promise<Pass> {
  const { scope, wire } = attempt;
  return place.account.enter({
    model: entry.id,
    tokens: place.account.countsTokens ? reckonedTokens(wire) : 0,
    signal: frame.signal,
    patienceMs: entry.calls.retry.maxMs,
    tell: (reason, waitMs) =>
      frame.run.bus.emit("call.delayed", { model: entry.id, reason, waitMs }, scope),
  });
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
  const wait = durationText(Math.ceil(retryAfterMs));
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

/** Tells the endpoint's breaker and account what the failure says about them. */
async function noteFailure(
  { frame, entry, place }: ModelCall,
  { scope }: Attempt,
  fault: Error,
): Promise<void> {
  const { account, breaker } = place;
  const { retryAfterMs, replayed } = detailsOf(fault);
  const saysNothing = frame.signal.aborted || replayed === true;
  const asksToWait = typeof retryAfterMs === "number" && retryAfterMs > 0;
  if (!saysNothing && asksToWait) account.pause(retryAfterMs);
  if (breaker === undefined) return;
  if (saysNothing || asksToWait) return breaker.leave();
  if (!isLoopwrightError(fault) || !fault.retryable) return breaker.succeeded();
  if (await breaker.failed())
    frame.run.bus.emit("breaker.opened", { model: entry.id, ...breaker.settings }, scope);
}
