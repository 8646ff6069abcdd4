import { definePrompt } from "../contracts/prompt.ts";
import { say } from "../run/language-of.ts";
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
  const tool = entry.name;
  return missing === 1
    ? say(frame, AFTER_ONE, { tool })
    : say(frame, AFTER_SEVERAL, { tool, count: missing });
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

const AFTER_ONE = definePrompt({
  en: "not executed: the same call of {{tool}} was made a moment ago; it may be made again after 1 call of another tool. Use what it returned, or do something else",
  zh: "未执行：刚刚对 {{tool}} 做过同样的调用；再调用 1 次其他工具之后才能重复。请使用它已返回的结果，或换一种做法",
});
const AFTER_SEVERAL = definePrompt({
  en: "not executed: the same call of {{tool}} was made a moment ago; it may be made again after {{count}} calls of other tools. Use what it returned, or do something else",
  zh: "未执行：刚刚对 {{tool}} 做过同样的调用；再调用 {{count}} 次其他工具之后才能重复。请使用它已返回的结果，或换一种做法",
});
