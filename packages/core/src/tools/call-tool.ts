import type { Pass } from "../calls/account.ts";
import type { ToolCall } from "../contracts/message.ts";
import { definePrompt } from "../contracts/prompt.ts";
import { ToolError } from "../errors/loopwright-error.ts";
import type { Scope } from "../events/scope.ts";
import { isAgentTool } from "../program/agent-key.ts";
import { languageOf, say } from "../run/language-of.ts";
import type { Frame } from "../run/run-scope.ts";
import { nearestNames } from "../spec/text/suggest.ts";
import type { ArgumentChange } from "../contracts/event.ts";
import type { ToolEntry } from "../program/program.ts";
import { changesNote } from "./argument-changes.ts";
import { DegradedOutput } from "./degraded-output.ts";
import { readOutput } from "./execute-tool.ts";
import type { KnownCall } from "./known-call.ts";
import { isFree, permit, ruleDenial } from "./permission.ts";
import { readArguments } from "./read-arguments.ts";
import { claimCall, countMade, releaseCall } from "./cool-down.ts";
import { callKey } from "./repeat-guard.ts";
import { refuseUnheld, replayCall } from "./replay-call.ts";
import { cutText } from "./result-text.ts";
import { findTool, isListed, policyOf, stageTools } from "./stage-tool.ts";
import { failed, leftBehind, withoutTool } from "./tool-failure.ts";
import { enterTool } from "./tool-ledger.ts";
import { enterPlaces, toolPlaces } from "./tool-places.ts";
import { refused, type StandIn, succeeded, type ToolResult, withNote } from "./tool-result.ts";
import { makeAttempt, type ToolAttempts, tryAgain } from "./try-tool.ts";

/**
 * Takes one call through the pipeline: name, arguments, permission, cool-down, rate, cache, breaker, timeout, execution with
 * its retries, output, format; a failure is a result.
 */
export function callTool(
  frame: Frame,
  scope: Scope,
  call: ToolCall,
): ToolResult | Promise<ToolResult> {
  const entry = findTool(frame, call.name);
  if (entry === undefined) return unknownTool(frame, call);
  const { name, definition } = entry;
  const read = readArguments(call.arguments, entry.input, definition.normalize, languageOf(frame));
  if (!read.ok)
    return refused(call.arguments, "tool-arguments-invalid", `${name}: ${read.message}`);
  const known = { entry, policy: policyOf(frame, entry), callId: call.id, input: read.input };
  return callAsRead(frame, scope, known, read.changes);
}

/** Calls a tool, and says what in its arguments was read as something else than they said. */
function callAsRead(
  frame: Frame,
  scope: Scope,
  known: KnownCall,
  changes: readonly ArgumentChange[] = [],
): Coming {
  if (changes.length === 0) return callKnownTool(frame, scope, known);
  const { entry, callId } = known;
  frame.run.bus.emit("arguments.normalized", { tool: entry.name, callId, changes }, scope);
  return callChanged(frame, scope, known, changesNote(changes, languageOf(frame)));
}

async function callChanged(
  frame: Frame,
  scope: Scope,
  known: KnownCall,
  note: string,
): Promise<ToolResult> {
  return withNote(await callKnownTool(frame, scope, known), note);
}

/** Takes the call of a tool that stands in for a failed one through the same pipeline. */
export function callStandIn(
  frame: Frame,
  scope: Scope,
  call: ToolCall,
  { entry, input, changes, isReplayed = false }: StandIn,
): ToolResult | Promise<ToolResult> {
  const policy = withoutTool(policyOf(frame, entry));
  const known = { entry, policy, callId: call.id, input, isReplayed };
  return callAsRead(frame, scope, known, changes);
}

/** What a call comes to whose arguments fit; without a wait where nothing has to be asked. */
type Coming = ToolResult | Promise<ToolResult>;

function callKnownTool(frame: Frame, scope: Scope, known: KnownCall): Coming {
  const { entry, policy } = known;
  if (isOff(frame, entry)) return callSwitchedOff(frame, known);
  return isFree(policy)
    ? callPermitted(frame, scope, known)
    : callWhenPermitted(frame, scope, known);
}

/** A person may have changed the arguments: then the model is told with which ones the call was made. */
async function callWhenPermitted(
  frame: Frame,
  scope: Scope,
  known: KnownCall,
): Promise<ToolResult> {
  const unheld = refuseUnheld(frame, scope, known);
  if (unheld !== undefined) return unheld;
  const permission = await permit(frame, scope, known);
  if (!permission.isPermitted) return refused(known.input, "tool-failed", permission.denial);
  const { input, notes } = permission;
  const result = await callPermitted(frame, scope, { ...known, input });
  return notes === undefined ? result : { ...result, notes: [...notes, ...(result.notes ?? [])] };
}

/** A tool of a set is off with its set. */
function isOff({ run: { switches } }: Frame, entry: ToolEntry): boolean {
  return switches.isToolOff(entry.name) || (isListed(entry) && switches.isToolOff(entry.of));
}

/** What the spec forbids reaches no stand-in either. */
function callSwitchedOff(frame: Frame, known: KnownCall): ToolResult {
  const denial = ruleDenial(frame, known);
  if (denial !== undefined) return refused(known.input, "tool-failed", denial);
  const fault = new ToolError("tool-failed", say(frame, SWITCHED_OFF, { tool: known.entry.name }), {
    details: { isHeldBack: true },
  });
  return failed(frame, known, fault);
}

function callPermitted(frame: Frame, scope: Scope, known: KnownCall): Coming {
  const { entry, policy, input } = known;
  const tooSoon = claimCall(frame, known);
  if (tooSoon !== undefined) return refused(input, "tool-failed", tooSoon);
  // An agent is run dry as a whole: what it would do is told by its own calls.
  if (frame.run.dryRun && policy.effect !== "read" && !isAgentTool(entry)) {
    countMade(frame, known);
    frame.run.bus.emit("effect.stubbed", { tool: entry.name, input }, scope);
    return succeeded(
      input,
      say(frame, DRY_RUN, { tool: entry.name, input: JSON.stringify(input) }),
    );
  }
  const replayed = replayCall(frame, scope, known);
  if (replayed !== undefined) return replayed;
  const places = toolPlaces(frame, known);
  const asked = { count: 0 };
  const attempts = { frame, scope, known, places, asked, tried: 0, isUnsure: false };
  if (places.length === 0) return keptOrMade(attempts);
  return enterPlaces(frame, scope, known, places).then(
    (pass) => keptOrMade(attempts, pass),
    (fault: unknown) => {
      releaseCall(frame, known);
      throw fault;
    },
  );
}

/** The result that is kept, or what a call comes to. */
function keptOrMade(attempts: Omit<ToolAttempts, "signal">, pass?: Pass): Coming {
  const { frame, known } = attempts;
  const { cache, clock } = frame.run.linked;
  const { cacheMs, effect, maxResult } = known.policy;
  const key = cacheMs > 0 && effect === "read" ? callKey(known.entry.name, known.input) : undefined;
  const kept = key === undefined ? undefined : cache.get(key);
  if (kept !== undefined && clock.now() - kept.time < cacheMs) {
    pass?.drop();
    countMade(frame, known);
    return succeeded(known.input, cutText(kept.text, maxResult, languageOf(frame)), {
      cached: true,
    });
  }
  if (frame.signal.aborted) {
    pass?.drop();
    releaseCall(frame, known);
    throw frame.signal.reason as Error;
  }
  return execute(attempts, key, pass);
}

/** Executes a call, and reads what comes of it. */
async function execute(
  given: Omit<ToolAttempts, "signal">,
  key: string | undefined,
  pass: Pass | undefined,
): Promise<ToolResult> {
  const { frame, known } = given;
  const { entry, policy, input } = known;
  const { cache } = frame.run.linked;
  const { clearCount } = cache;
  const language = languageOf(frame);
  const time = enterTool(frame, entry);
  const attempts: ToolAttempts = { ...given, signal: time.signal };
  try {
    const output = await attempted(attempts, pass);
    if (output instanceof DegradedOutput)
      return succeeded(input, cutText(output.text, policy.maxResult, language), { degraded: true });
    const text = readOutput(entry, output, language);
    // What was on its way while an effect cleared the cache may be old already.
    if (key !== undefined && cache.clearCount === clearCount) cache.set(key, text);
    return succeeded(input, cutText(text, policy.maxResult, language));
  } catch (thrown) {
    if (frame.signal.aborted) return leftBehind(frame, known, frame.signal.reason);
    return failed(frame, known, thrown, attempts);
  } finally {
    time.leave();
    if (attempts.tried === 0) releaseCall(frame, known);
    // What a tool changed may be what an earlier read told.
    if (policy.effect !== "read") cache.clear();
  }
}

/** What the first attempt gives, or one of those after it; an attempt that succeeds costs nothing more. */
async function attempted(attempts: ToolAttempts, pass: Pass | undefined): Promise<unknown> {
  try {
    return await makeAttempt(attempts, pass);
  } catch (fault) {
    return await tryAgain(attempts, fault);
  }
}

function unknownTool(frame: Frame, call: ToolCall): ToolResult {
  const names = stageTools(frame).map(({ wireName }) => wireName);
  const near = nearestNames(call.name, names);
  const all = names.join(", ") || say(frame, NO_TOOLS);
  const named = { tool: call.name, names: all };
  const told =
    near.length > 0
      ? say(frame, NEAR_TOOL, { ...named, near: near.join(say(frame, OR)) })
      : say(frame, UNKNOWN_TOOL, named);
  return refused(call.arguments, "tool-failed", told);
}

const NO_TOOLS = definePrompt({ en: "none", zh: "无" });
const OR = definePrompt({ en: " or ", zh: " 或 " });
const UNKNOWN_TOOL = definePrompt({
  en: "there is no tool `{{tool}}`; tools here: {{names}}",
  zh: "没有名为 `{{tool}}` 的工具；这里的工具：{{names}}",
});
const NEAR_TOOL = definePrompt({
  en: "there is no tool `{{tool}}`; did you mean {{near}}? tools here: {{names}}",
  zh: "没有名为 `{{tool}}` 的工具；你是不是想用 {{near}}？这里的工具：{{names}}",
});
const DRY_RUN = definePrompt({
  en: "dry run: {{tool}} was not executed; it would have been called with {{input}}",
  zh: "演练：未执行 {{tool}}；本来会以 {{input}} 调用它",
});

const SWITCHED_OFF = definePrompt({ en: "{{tool}} is switched off", zh: "{{tool}} 已关闭" });
