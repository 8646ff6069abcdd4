import type { Fault, FaultDetails } from "../contracts/event.ts";
import {
  AbortError,
  isLoopwrightError,
  LimitError,
  messageOf,
  ProviderError,
} from "../errors/loopwright-error.ts";

/**
 * Why a call failed: what ended it, else the endpoint; a provider can neither abort a run nor limit it. What is no
 * ProviderError is a fault of the provider's code, which another try does not mend.
 */
export function callFault(signal: AbortSignal, thrown: unknown, model: string): Error {
  if (signal.aborted) return signal.reason as Error;
  if (isLoopwrightError(thrown) && thrown.family === "ProviderError") return thrown;
  return new ProviderError("provider-failed", `${model} failed: ${messageOf(thrown)}`, {
    cause: thrown,
  });
}

/** What a call came to that ended with a fault. */
export function outcomeOf(fault: Error): "aborted" | "limited" | "failed" {
  if (fault instanceof AbortError) return "aborted";
  return fault instanceof LimitError ? "limited" : "failed";
}

/** An error as plain data. */
export function faultOf(fault: unknown): Fault {
  if (!isLoopwrightError(fault)) return { code: "contract-broken", message: messageOf(fault) };
  const details = heldBack(fault.details);
  const { code, message } = fault;
  return details === undefined ? { code, message } : { code, message, details };
}

function heldBack({
  isHeldBack,
  restMs,
  waitMs,
}: Readonly<Record<string, unknown>>): FaultDetails | undefined {
  if (isHeldBack !== true) return undefined;
  return {
    isHeldBack,
    ...(typeof restMs === "number" ? { restMs } : {}),
    ...(typeof waitMs === "number" ? { waitMs } : {}),
  };
}
