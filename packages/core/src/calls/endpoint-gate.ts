import { isLoopwrightError, ProviderError } from "../errors/loopwright-error.ts";
import { wholeSeconds } from "../spec/text/duration-text.ts";
import type { Asking, Pass } from "./account.ts";
import type { BreakerTicket } from "./breaker.ts";
import type { CallPlace } from "./call-places.ts";
import { type HoldTrial, maxHoldMs } from "./hold.ts";

/** A call that was let out, until its place is told what it came to. */
export interface LetOut {
  readonly pass: Pass | undefined;
  readonly ticket: BreakerTicket;
  readonly trial: HoldTrial | undefined;
}

/** What ended a call, as far as its place asks. */
interface CallFault {
  readonly fault: Error;
  /** True where it tells nothing about the endpoint: the call was given up, or its fault was recorded. */
  readonly saysNothing: boolean;
  /** The longest wait that the spec allows. */
  readonly patienceMs: number;
}

/** True where nothing at a place is limited or shut: then a call just goes. */
export function isOpen(place: CallPlace): boolean {
  return place.account.isFree && !isWatched(place);
}

/** True where a place wants to know of an answer. */
export function isWatched({ breaker, hold }: CallPlace): boolean {
  return !hold.isFree || breaker?.isCalm === false;
}

/** True where no call goes out to a place's model, also after a wait. */
export function isShut({ breaker, hold }: CallPlace, waitMs: number): boolean {
  return breaker?.restMs() !== undefined || (hold.waitMs() ?? 0) > waitMs;
}

/** Lets a call out that waited for nothing. */
export function letOut({ breaker, hold }: CallPlace, pass?: Pass): LetOut {
  return { pass, ticket: breaker?.begin() ?? 0, trial: hold.begin() };
}

/** Waits until the account lets a call out; fails it at once while its endpoint rests, and ends with its signal. */
export async function letOutWhenFree(place: CallPlace, asking: Asking): Promise<LetOut> {
  asking.signal.throwIfAborted();
  refuseAtRest(place, asking.model);
  if (place.account.isFree) return letOut(place);
  const pass = await place.account.enter(asking);
  try {
    asking.signal.throwIfAborted();
    refuseAtRest(place, asking.model);
  } catch (refused) {
    pass.drop();
    throw refused;
  }
  return letOut(place, pass);
}

/** Tells a place that the endpoint answered. */
export async function noteAnswer(
  { breaker, hold }: CallPlace,
  { ticket, trial }: LetOut,
): Promise<void> {
  hold.over(trial, false);
  if (breaker?.isCalm === false) await breaker.succeeded(ticket);
}

/** Tells a place what a fault says about it; true where that opened its breaker. */
export async function noteFault(
  { account, breaker, hold }: CallPlace,
  { ticket, trial }: LetOut,
  { fault, saysNothing, patienceMs }: CallFault,
): Promise<boolean> {
  const askedMs = saysNothing ? 0 : askedWaitMs(fault);
  hold.over(trial, saysNothing);
  if (askedMs > Math.min(patienceMs, maxHoldMs)) hold.pause(askedMs);
  else if (askedMs > 0) account.pause(askedMs);
  if (breaker === undefined) return false;
  if (!saysNothing && askedMs === 0) {
    if (isLoopwrightError(fault) && fault.retryable) return breaker.failed(ticket);
    await breaker.succeeded(ticket);
  }
  breaker.leave(ticket);
  return false;
}

/** The wait that an endpoint asked for with a fault; 0 where it asked for none. */
function askedWaitMs(fault: Error): number {
  const { retryAfterMs } = isLoopwrightError(fault) ? fault.details : {};
  return typeof retryAfterMs === "number" && retryAfterMs > 0 ? retryAfterMs : 0;
}

function refuseAtRest({ breaker, hold }: CallPlace, model: string): void {
  const waitMs = hold.waitMs();
  if (waitMs !== undefined) {
    throw heldBack(`${model}: the endpoint asked to wait: no call goes there ${until(waitMs)}`, {
      advice: "",
      details: { model, waitMs },
    });
  }
  const restMs = breaker?.restMs();
  if (restMs === undefined) return;
  throw heldBack(`${model} failed too often in a row: no call goes there ${until(restMs)}`, {
    advice: ", or change its `breaker`",
    details: { model, restMs },
  });
}

function until(ms: number): string {
  return ms === 0 ? "until the call that tries it has ended" : `for ${wholeSeconds(ms)} more`;
}

function heldBack(
  what: string,
  { advice, details }: { readonly advice: string; readonly details: object },
): ProviderError {
  return new ProviderError(
    "provider-unavailable",
    `${what}; try again then, let another model answer meanwhile (\`fallback\` in a spec)${advice}`,
    { retryable: true, details: { ...details, isHeldBack: true } },
  );
}
