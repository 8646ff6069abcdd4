import { isShut } from "../calls/endpoint-gate.ts";
import { openRetryWaits } from "../calls/retry-waits.ts";
import { waitFor } from "../calls/wait-for.ts";
import { isLoopwrightError } from "../errors/loopwright-error.ts";
import type { Scope } from "../events/scope.ts";
import type { ModelEntry } from "../program/program.ts";
import { faultOf } from "./call-fault.ts";
import { lowerConstraint } from "./constraint.ts";
import { detailsOf, FailedAttempt, makeAttempt } from "./make-attempt.ts";
import { type Attempt, type ModelCall, nextAttempt } from "./model-call.ts";
import type { ModelReply } from "./model-request.ts";

/** JSON Schema, JSON mode, words: there are two ways down. */
const maxLowered = 2;

/**
 * What becomes of a call that failed: the model is asked again on a lower layer where its endpoint lacks the one above, or
 * the same once more after a wait; else the `next` model may try, and without one the fault is thrown.
 */
export async function callAgain(
  call: ModelCall,
  first: FailedAttempt,
  next: ModelEntry | undefined,
): Promise<ModelReply | undefined> {
  const attempts = new FurtherAttempts(call);
  let failed = first;
  for (;;) {
    const again = await attempts.after(failed);
    if (again === undefined) {
      // Its pieces were read already; those of another model would stand behind them.
      const other = failed.reached === "begun" ? undefined : next;
      return handOn(call, failed.attempt.scope, failed.fault, other, attempts);
    }
    const outcome = await makeAttempt(call, again);
    if (!(outcome instanceof FailedAttempt)) return outcome;
    failed = outcome;
  }
}

/** Leaves a call that failed to the next model, and tells it; throws the fault where there is none, or the run ends. */
export function handOn(
  { frame, entry }: ModelCall,
  scope: Scope,
  fault: Error,
  next: ModelEntry | undefined,
  { tried, most }: { readonly tried: number; readonly most: number },
): undefined {
  if (next === undefined || frame.signal.aborted) throw fault;
  tellRetried(frame, scope, { entry, next, fault, attempt: tried, attempts: most, waitMs: 0 });
  return undefined;
}

interface Retried {
  readonly entry: ModelEntry;
  readonly next: ModelEntry;
  readonly fault: Error;
  readonly attempt: number;
  readonly attempts: number;
  readonly waitMs: number;
}

function tellRetried(frame: ModelCall["frame"], scope: Scope, told: Retried): void {
  const { entry, next, fault, ...numbers } = told;
  frame.run.bus.emit(
    "call.retried",
    { model: entry.id, nextModel: next.id, fault: faultOf(fault), ...numbers },
    scope,
  );
}

/** What of a fault decides about another attempt. */
interface Signs {
  readonly retryAfterMs?: number;
  /** True for a recorded fault: then the recording knows whether and after which wait it was tried again. */
  readonly replayed?: boolean;
  readonly attempts?: number;
  readonly waitMs?: number;
}

/** The attempts of one model after the first. */
class FurtherAttempts {
  /** How often the model was tried, calls on a lower layer left aside. */
  tried = 1;
  most: number;
  readonly #call: ModelCall;
  #lowered = 0;
  #nextWait: (() => number) | undefined;

  constructor(call: ModelCall) {
    this.#call = call;
    this.most = call.entry.calls.retry.attempts;
  }

  /** The attempt that follows a failed one, after its wait; undefined where none may. Throws when the run ends meanwhile. */
  async after(failed: FailedAttempt): Promise<Attempt | undefined> {
    if (failed.reached !== "sent" || this.#call.frame.signal.aborted) return undefined;
    return this.#lower(failed) ?? (await this.#retry(failed));
  }

  /** The attempt on the next layer; undefined where the fault says nothing of one. Where a limit can't hold it, a retry can't be held either. */
  #lower({ attempt, fault }: FailedAttempt): Attempt | undefined {
    const { frame, entry, provider, key } = this.#call;
    const { constraint, scope } = attempt;
    if (constraint === undefined || this.#lowered === maxLowered) return undefined;
    if (!lowerConstraint(frame, scope, entry, provider, constraint, fault)) return undefined;
    this.#lowered += 1;
    return nextAttempt(this.#call, `${key}.lower:${this.#lowered}`);
  }

  async #retry({ attempt, fault }: FailedAttempt): Promise<Attempt | undefined> {
    const { frame, entry, place, key } = this.#call;
    const { retry } = entry.calls;
    const signs = signsOf(fault);
    this.most = signs.attempts ?? retry.attempts;
    const { retryAfterMs = 0 } = signs;
    const mayRetry = isLoopwrightError(fault) && fault.retryable && retryAfterMs <= retry.maxMs;
    if (!mayRetry || this.tried >= this.most || isShut(place, retryAfterMs)) return undefined;
    const waitMs = signs.waitMs ?? Math.max(retryAfterMs, await this.#wait());
    const again = nextAttempt(this.#call, `${key}.retry:${this.tried}`);
    if (again === undefined) return undefined;
    const numbers = { attempt: this.tried, attempts: this.most, waitMs };
    tellRetried(frame, attempt.scope, { entry, next: entry, fault, ...numbers });
    this.tried += 1;
    try {
      if (signs.replayed !== true) await waitFor(frame.run.linked.clock, waitMs, frame.signal);
      frame.signal.throwIfAborted();
    } catch (ended) {
      frame.ledger.release(again.reserved);
      throw ended;
    }
    return again;
  }

  async #wait(): Promise<number> {
    this.#nextWait ??= await openRetryWaits(this.#call.entry.calls.retry);
    return this.#nextWait();
  }
}

function signsOf(fault: Error): Signs {
  const details = detailsOf(fault);
  const numberIn = (key: string): number | undefined => {
    const value = details[key];
    return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const retryAfterMs = numberIn("retryAfterMs");
  if (details["replayed"] !== true) return retryAfterMs === undefined ? {} : { retryAfterMs };
  return {
    replayed: true,
    attempts: numberIn("attempts") ?? 1,
    waitMs: numberIn("waitMs") ?? 0,
  };
}
