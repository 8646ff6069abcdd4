import type { Pass } from "../calls/account.ts";
import { openRetryWaits } from "../calls/retry-waits.ts";
import { waitFor } from "../calls/wait-for.ts";
import { definePrompt } from "../contracts/prompt.ts";
import { isLoopwrightError, LimitError, ToolError } from "../errors/loopwright-error.ts";
import { isAgentTool } from "../program/agent-key.ts";
import { faultOf } from "../run/call-fault.ts";
import { say } from "../run/language-of.ts";
import type { Frame } from "../run/run-scope.ts";
import { durationText } from "../spec/text/duration-text.ts";
import { DegradedOutput } from "./degraded-output.ts";
import { checkOutput, executeTool } from "./execute-tool.ts";
import type { Execution } from "./execution.ts";
import type { KnownCall } from "./known-call.ts";
import { connectionFault, isLostMidway } from "./connection-fault.ts";
import { countMade } from "./cool-down.ts";
import { saysUnsure } from "./tool-failure.ts";
import { enterPlaces, type ToolPlace } from "./tool-places.ts";

/** The attempts of one call. */
export interface ToolAttempts extends Execution {
  readonly places: readonly ToolPlace[];
  tried: number;
}

/** Makes one attempt, unless the tool rests; gives back its pass when it is over. */
export function makeAttempt(attempts: ToolAttempts, pass?: Pass): Promise<unknown> {
  if (attempts.places.length > 0) return watchedAttempt(attempts, pass);
  begin(attempts);
  return executeTool(attempts);
}

function begin(attempts: ToolAttempts): void {
  attempts.tried += 1;
  if (attempts.tried === 1) countMade(attempts.frame, attempts.known);
}

async function watchedAttempt(attempts: ToolAttempts, pass: Pass | undefined): Promise<unknown> {
  const { frame, scope, known, places } = attempts;
  const breakers = places.flatMap(({ breaker }) => breaker ?? []);
  // The places of one call are all of one entry.
  const name = places[0]?.name ?? known.entry.name;
  let hasGone = false;
  try {
    for (const breaker of breakers) refuseAtRest(frame, name, breaker.restMs());
    const tickets = breakers.map((breaker) => breaker.begin());
    hasGone = true;
    begin(attempts);
    try {
      const output = await executeTool(attempts);
      if (!(output instanceof DegradedOutput)) checkOutput(known.entry, output);
      for (const [index, breaker] of breakers.entries())
        await breaker.succeeded(tickets[index] as number);
      return output;
    } catch (fault) {
      for (const [index, breaker] of breakers.entries()) {
        const ticket = tickets[index] as number;
        if (saysNothing(attempts, fault)) breaker.leave(ticket);
        else if (await breaker.failed(ticket)) {
          const rest = { tool: name, ...breaker.settings };
          frame.run.bus.emit("tool.rested", rest, scope);
        }
      }
      throw fault;
    }
  } finally {
    if (hasGone) pass?.leave();
    else pass?.drop();
  }
}

/** True for what tells nothing about the tool: the call had to end, or its arguments were wrong. */
function saysNothing({ signal }: ToolAttempts, fault: unknown): boolean {
  if (signal.aborted || fault instanceof LimitError) return true;
  return isLoopwrightError(fault) && fault.code === "tool-arguments-invalid";
}

function refuseAtRest(frame: Frame, tool: string, restMs: number | undefined): void {
  if (restMs === undefined) return;
  const message =
    restMs === 0
      ? say(frame, IS_TRIED, { tool })
      : say(frame, RESTS, { tool, time: durationText(restMs) });
  throw new ToolError("tool-failed", message, { details: { isHeldBack: true, restMs } });
}

const IS_TRIED = definePrompt({
  en: "{{tool}} failed too often in a row: it is not called until the call that tries it has ended",
  zh: "{{tool}} 连续失败次数过多：在试探它的那次调用结束之前不再调用",
});
const RESTS = definePrompt({
  en: "{{tool}} failed too often in a row: it is not called for {{time}} more",
  zh: "{{tool}} 连续失败次数过多：还要过 {{time}} 才会再次调用",
});

/**
 * What becomes of a call whose first attempt failed: it is made again after a wait where its fault may pass and its effect
 * allows it, with the same idempotency key; else the last fault is thrown.
 */
export async function tryAgain(attempts: ToolAttempts, first: unknown): Promise<unknown> {
  const { frame, scope, known, places, signal } = attempts;
  const { retry, effect } = known.policy;
  const most = retry === undefined || effect === "once" ? 1 : retry.attempts;
  let nextWait: (() => number) | undefined;
  let fault = first;
  for (;;) {
    attempts.isUnsure ||= leavesUnsure(known, fault);
    const askedMs = retryWaitOf(fault);
    const isOver = attempts.tried >= most || signal.aborted || askedMs > (retry?.maxMs ?? 0);
    if (isOver || retry === undefined || !mayPass(fault) || isResting(places)) throw fault;
    nextWait ??= await openRetryWaits(retry);
    const waitMs = Math.max(askedMs, nextWait());
    const numbers = { attempt: attempts.tried, attempts: most, waitMs };
    const told = { tool: known.entry.name, fault: faultOf(fault), ...numbers };
    frame.run.bus.emit("tool.retried", told, scope);
    await waitFor(frame.run.linked.clock, waitMs, signal);
    const pass = places.length === 0 ? undefined : await enterPlaces(frame, scope, known, places);
    try {
      return await makeAttempt(attempts, pass);
    } catch (next) {
      // It went to rest meanwhile: what the last attempt met says more.
      if (isHeldBack(next)) throw fault;
      fault = next;
    }
  }
}

/** True for a fault after which nobody knows what the tool did; of an agent its own calls tell that. */
function leavesUnsure({ entry }: KnownCall, fault: unknown): boolean {
  if (isAgentTool(entry)) return false;
  if (isLoopwrightError(fault) && (fault.code === "tool-timeout" || saysUnsure(fault))) return true;
  return isLostMidway(fault);
}

function isHeldBack(fault: unknown): boolean {
  return isLoopwrightError(fault) && fault.details["isHeldBack"] === true;
}

/** True for a fault that another attempt may not meet. */
function mayPass(fault: unknown): boolean {
  if (isLoopwrightError(fault)) return fault.retryable && fault.family === "ToolError";
  return connectionFault(fault) !== undefined;
}

/** The wait that a fault asks for; 0 where it asks for none. */
function retryWaitOf(fault: unknown): number {
  const asked = isLoopwrightError(fault) ? fault.details["retryAfterMs"] : undefined;
  return typeof asked === "number" && asked > 0 ? asked : 0;
}

function isResting(places: readonly ToolPlace[]): boolean {
  return places.some(({ breaker }) => breaker?.restMs() !== undefined);
}
