import type { RunEvent } from "../contracts/event.ts";
import type { Json } from "../contracts/json.ts";
import { definePrompt } from "../contracts/prompt.ts";
import type { Scope } from "../events/scope.ts";
import { isAgentTool } from "../program/agent-key.ts";
import { say } from "../run/language-of.ts";
import { type RecordedCall, STAND_IN } from "../run/recorded-calls.ts";
import { childScope, type Frame } from "../run/run-scope.ts";
import type { KnownCall } from "./known-call.ts";
import { readArguments } from "./read-arguments.ts";
import { countMade, releaseCall } from "./cool-down.ts";
import { callKey } from "./repeat-guard.ts";
import { entryOf } from "./stage-tool.ts";
import { refused, type StandIn, type ToolResult } from "./tool-result.ts";

/**
 * What a call comes to in a run that replays the log of another one; undefined where it is made.
 *
 * An effect does not happen twice: its recorded result is its result, and without one it is refused. What only reads is
 * called again. An agent runs again too, and its own calls follow the same rule.
 */
export function replayCall(frame: Frame, scope: Scope, known: KnownCall): ToolResult | undefined {
  const { recordedCalls: calls, linked } = frame.run;
  const { input } = known;
  if (calls === undefined || isMade(known)) return undefined;
  const call = calls.get(scope.key);
  const standIn = calls.get(`${scope.key}${STAND_IN}`);
  const { observation, end } = call ?? {};
  const isSame = call !== undefined && isSameCall(frame, known, call, standIn !== undefined);
  if (observation === undefined || !isSame) {
    releaseCall(frame, known);
    return notHeld(frame, known);
  }
  countMade(frame, known);
  tellAgain(frame, call.told);
  // As after the effect itself: what was read before it is read again.
  linked.cache.clear();
  const { ok, degraded } = observation;
  const { fault } = end ?? {};
  const result = {
    input,
    ok,
    degraded,
    cached: false,
    isRecorded: true,
    content: observation.content,
    ...(fault === undefined ? {} : { fault }),
  };
  if (scope.key.endsWith(STAND_IN)) {
    const content = ok ? result.content : partsOf(observation.content, end).own;
    // What stands in counts as degraded, however well its own call went.
    return { ...result, degraded: ok && end?.outcome === "failed", content };
  }
  const other = standIn === undefined ? undefined : standInOf(frame, known, standIn);
  if (other === undefined) return result;
  const content = ok ? (fault?.message ?? "") : partsOf(observation.content, standIn?.end).before;
  return { ...result, ok: false, degraded: false, content, standIn: other };
}

/** What a call comes to that nobody has to be asked about, because the log that the run replays holds no result of it. */
export function refuseUnheld(
  frame: Frame,
  { key }: Scope,
  known: KnownCall,
): ToolResult | undefined {
  const { recordedCalls: calls, linked } = frame.run;
  if (calls === undefined || isMade(known)) return undefined;
  const { start, asked, observation } = calls.get(key) ?? {};
  const { entry, input } = known;
  const own = linked.redactor.data(input);
  const isOther = asked !== undefined && callKey(entry.name, asked) !== callKey(entry.name, own);
  return observation === undefined || start?.tool !== entry.name || isOther
    ? notHeld(frame, known)
    : undefined;
}

/** True for a call that is made again. */
function isMade({ entry, policy, isReplayed = false }: KnownCall): boolean {
  return isAgentTool(entry) || (policy.effect === "read" && !isReplayed);
}

function notHeld(frame: Frame, { input }: KnownCall): ToolResult {
  return refused(input, "tool-failed", say(frame, NOT_HELD));
}

const NOT_HELD = definePrompt({
  en: "not executed: this run replays a log that holds no result of this call; run it without the log to make the call",
  zh: "未执行：本次运行在重放一份日志，其中没有这次调用的结果；若要执行这次调用，请不带日志运行",
});

/** True where the log holds a call of the same tool with the same arguments. */
function isSameCall(
  frame: Frame,
  { entry, input }: KnownCall,
  { start, approved, observation }: RecordedCall,
  hasStandIn: boolean,
): boolean {
  if (start.tool !== entry.name) return false;
  // The observation of a call with a stand-in names what that one was called with.
  const made = hasStandIn ? (approved ?? readAgain(start.arguments, entry)) : observation?.input;
  const own = frame.run.linked.redactor.data(input);
  return made !== undefined && callKey(entry.name, made) === callKey(entry.name, own);
}

function readAgain(text: string, { input, definition }: KnownCall["entry"]): Json | undefined {
  const read = readArguments(text, input, definition.normalize);
  return read.ok ? read.input : undefined;
}

/** The stand-in of the recorded call; what it came to is recorded too. */
function standInOf(
  frame: Frame,
  { input }: KnownCall,
  { start }: RecordedCall,
): StandIn | undefined {
  const entry = entryOf(frame, start.tool);
  if (entry === undefined) return undefined;
  const read = readArguments(JSON.stringify(input), entry.input, entry.definition.normalize);
  return read.ok ? { ...read, entry, isAfterEffect: false, isReplayed: true } : undefined;
}

function tellAgain(frame: Frame, events: readonly RunEvent[]): void {
  for (const { name, data, key } of events) frame.run.bus.emit(name, data, childScope(frame, key));
}

/** The two parts of what a failed call and its failed stand-in came to; between them is the end of a line. */
function partsOf(
  content: string,
  end: RecordedCall["end"],
): { readonly before: string; readonly own: string } {
  const said = end?.fault?.message ?? "";
  const at = said === "" ? -1 : content.lastIndexOf(said);
  const cut = at < 0 ? content.indexOf("\n") : content.lastIndexOf("\n", at);
  return { before: content.slice(0, Math.max(0, cut)), own: content.slice(cut + 1) };
}
