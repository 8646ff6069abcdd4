import type { Frame } from "../run/run-scope.ts";
import type { KnownCall } from "./known-call.ts";
import { callKey, callLog } from "./repeat-guard.ts";

/** Why the same call may not be made again yet, in words for the model; undefined where it may be, and then is on its way. */
export function claimCall(frame: Frame, { entry, policy, input }: KnownCall): string | undefined {
  const { coolDown } = policy;
  if (coolDown === undefined) return undefined;
  const log = callLog(frame);
  const key = callKey(entry.name, input);
  const missing = log.missing(entry.name, key, coolDown);
  if (missing === 0) {
    log.claim(entry.name, key);
    return undefined;
  }
  const calls = missing === 1 ? "1 call of another tool" : `${missing} calls of other tools`;
  return `not executed: the same call of ${entry.name} was made a moment ago; it may be made again after ${calls}. Use what it returned, or do something else`;
}

/** Counts a call that is made, or answered in its place. */
export function countMade(frame: Frame, { entry, policy, input }: KnownCall): void {
  const key = policy.coolDown === undefined ? undefined : callKey(entry.name, input);
  callLog(frame).made(entry.name, key);
}

/** Tells that a call on its way was not made after all: it does not have to cool down. */
export function releaseCall(frame: Frame, { entry, policy, input }: KnownCall): void {
  if (policy.coolDown !== undefined) callLog(frame).release(callKey(entry.name, input));
}
