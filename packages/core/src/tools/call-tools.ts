import type { ScopeOutcome } from "../contracts/event.ts";
import type { ToolCall } from "../contracts/message.ts";
import { definePrompt } from "../contracts/prompt.ts";
import type { Observation } from "../contracts/state.ts";
import { LimitError, messageOf } from "../errors/loopwright-error.ts";
import type { Scope } from "../events/scope.ts";
import type { ToolEntry } from "../program/program.ts";
import { languageOf, say } from "../run/language-of.ts";
import { STAND_IN } from "../run/recorded-calls.ts";
import { childScope, type Frame } from "../run/run-scope.ts";
import { openAgentLanes } from "./agent-lanes.ts";
import { boundFailure } from "./bound-failure.ts";
import { callStandIn, callTool } from "./call-tool.ts";
import { countRepeats, endLoops, repeatHint, type Repetition, turnAway } from "./repeat-guard.ts";
import { reserveCalls, reserveStandIn } from "./reserve-calls.ts";
import { findTool, policyOf, toolName } from "./stage-tool.ts";
import { tellSuspicions } from "./tell-suspicions.ts";
import { cutShort, refused, type StandIn, type ToolResult } from "./tool-result.ts";

/**
 * Executes calls together and records one observation each, in their order; calls over the limit are answered without
 * execution. What ends the work while calls are on their way is thrown once all of them are recorded.
 */
export async function callTools(
  frame: Frame,
  key: string,
  calls: readonly ToolCall[],
): Promise<readonly Observation[]> {
  if (calls.length === 0) return [];
  frame.signal.throwIfAborted();
  const offText = turnAway(frame);
  const results =
    offText === undefined
      ? await executeAll(frame, key, calls)
      : calls.map((call) => refused(call.arguments, "limit-repeat", offText));
  const scope = childScope(frame, key);
  const before = ownObservations(frame);
  const drafts = results.map((result, index) =>
    observe(frame, calls[index] as ToolCall, result, { index, before }),
  );
  const ender = results.find((result) => result.ender !== undefined)?.ender;
  // Loops matter only where the work goes on.
  const isGoingOn = ender === undefined && offText === undefined;
  const repetitions = isGoingOn ? countRepeats(frame, drafts) : [];
  const observations = drafts.map((draft, index) => withHint(frame, draft, repetitions[index]));
  const all = Object.freeze([...frame.state.observations, ...observations]);
  frame.state = { ...frame.state, observations: all };
  for (const observation of observations)
    frame.run.bus.emit("observation.recorded", { ...observation }, scope);
  tellSuspicions(frame, observations, scope);
  if (ender !== undefined) throw ender.reason;
  endLoops(frame, repetitions, scope);
  return observations;
}

async function executeAll(
  frame: Frame,
  key: string,
  calls: readonly ToolCall[],
): Promise<readonly ToolResult[]> {
  const refusals = reserveCalls(frame, calls);
  const closeLanes = openAgentLanes(frame, calls);
  const results = await Promise.all(
    calls.map((call, index) => {
      const why = refusals[index];
      return why === undefined
        ? executeCall(frame, `${key}/call:${index}`, call)
        : Promise.resolve(refused(call.arguments, "limit-tool-calls", why));
    }),
  );
  closeLanes();
  return results;
}

async function executeCall(frame: Frame, key: string, call: ToolCall): Promise<ToolResult> {
  const tool = toolName(frame, call.name);
  const { scope, end } = openScope(frame, key, tool, call);
  let result: ToolResult;
  try {
    result = await callTool(frame, scope, call);
  } catch (thrown) {
    result = notExecuted(frame, call, thrown);
  }
  result = boundFailure(result, maxResultOf(frame, findTool(frame, call.name)), languageOf(frame));
  end(result);
  return result.standIn === undefined
    ? result
    : executeStandIn(frame, `${key}${STAND_IN}`, call, result, result.standIn);
}

/** A stand-in is a call of its own: counted, told, and asked for like any other. */
async function executeStandIn(
  frame: Frame,
  key: string,
  call: ToolCall,
  failure: ToolResult,
  standIn: StandIn,
): Promise<ToolResult> {
  const { name } = standIn.entry;
  if (!reserveStandIn(frame, name)) {
    const { content: told } = failure;
    return { ...failure, content: say(frame, NO_ROOM_FOR_FALLBACK, { told, fallback: name }) };
  }
  const { scope, end } = openScope(frame, key, name, call);
  let result: ToolResult;
  try {
    result = await callStandIn(frame, scope, call, standIn);
  } catch (thrown) {
    result = notExecuted(frame, call, thrown);
  }
  result = boundFailure(result, maxResultOf(frame, standIn.entry), languageOf(frame));
  end(result);
  const isEnough = result.ok && !standIn.isAfterEffect;
  const content = isEnough ? result.content : `${failure.content}\n${result.content}`;
  const notes = [...(failure.notes ?? []), ...(result.notes ?? [])];
  return {
    ...result,
    content,
    degraded: result.ok,
    cached: false,
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function maxResultOf(frame: Frame, entry: ToolEntry | undefined): number | undefined {
  return entry === undefined ? undefined : policyOf(frame, entry).maxResult;
}

/** Tells a call's start, and its end when it is called. */
function openScope(
  frame: Frame,
  key: string,
  tool: string,
  call: ToolCall,
): { readonly scope: Scope; readonly end: (result: ToolResult) => void } {
  const { bus, linked } = frame.run;
  const scope = childScope(frame, key);
  const startedAt = linked.clock.now();
  bus.emit("tool-call.start", { tool, callId: call.id, arguments: call.arguments }, scope);
  const end = (result: ToolResult): void =>
    bus.emit(
      "tool-call.end",
      {
        tool,
        callId: call.id,
        outcome: outcomeOf(frame, result),
        cached: result.cached,
        durationMs: linked.clock.now() - startedAt,
        ...(result.fault === undefined ? {} : { fault: result.fault }),
      },
      scope,
    );
  return { scope, end };
}

function outcomeOf(frame: Frame, { ok, degraded, ender }: ToolResult): ScopeOutcome {
  if (ender === undefined) return ok && !degraded ? "done" : "failed";
  if (ender.reason instanceof LimitError) return "limited";
  return frame.signal.aborted ? "aborted" : "failed";
}

/** What throws before anything was executed is the call's result too. */
function notExecuted(frame: Frame, call: ToolCall, thrown: unknown): ToolResult {
  const why = frame.signal.aborted ? say(frame, WORK_HAD_TO_END) : messageOf(thrown);
  return cutShort(call.arguments, say(frame, NOT_EXECUTED, { why }), thrown);
}

/** How many observations the frame's own branch has made. */
function ownObservations({ branch, state }: Frame): number {
  const prefix = `${branch}observation-`;
  let count = 0;
  for (const { id } of state.observations) if (id.startsWith(prefix)) count += 1;
  return count;
}

function observe(
  frame: Frame,
  call: ToolCall,
  result: ToolResult,
  { index, before }: { readonly index: number; readonly before: number },
): Observation {
  const { redactor } = frame.run.linked;
  const { input, content, ok, degraded, notes } = result;
  return {
    id: `${frame.branch}observation-${before + index + 1}`,
    tool: toolName(frame, call.name),
    input: redactor.data(input),
    content: redactor.text(content),
    ok,
    degraded,
    ...(isThought(frame, call.name) ? { isThought: true as const } : {}),
    ...(notes === undefined ? {} : { notes: notes.map((note) => redactor.text(note)) }),
  };
}

function isThought(frame: Frame, name: string): boolean {
  return findTool(frame, name)?.definition.thought === true;
}

function withHint(
  frame: Frame,
  draft: Observation,
  repetition: Repetition | undefined,
): Observation {
  const hint = repetition === undefined ? undefined : repeatHint(frame, repetition);
  return Object.freeze(
    hint === undefined ? draft : { ...draft, notes: [...(draft.notes ?? []), hint] },
  );
}

const NO_ROOM_FOR_FALLBACK = definePrompt({
  en: "{{told}}; its fallback {{fallback}} was not executed: the limit on tool calls is reached",
  zh: "{{told}}；它的后备工具 {{fallback}} 没有执行：工具调用次数已达上限",
});
const WORK_HAD_TO_END = definePrompt({ en: "the work had to end", zh: "工作必须结束" });
const NOT_EXECUTED = definePrompt({ en: "not executed: {{why}}", zh: "未执行：{{why}}" });
