import type { ToolCall } from "../contracts/message.ts";
import type { Observation } from "../contracts/state.ts";
import { LimitError } from "../errors/loopwright-error.ts";
import { childScope, type Frame } from "../run/run-scope.ts";
import { callTool } from "./call-tool.ts";
import { refused, type ToolResult } from "./tool-result.ts";

/** Executes calls together and records one observation each, in their order; calls over the limit are answered without execution. */
export async function callTools(
  frame: Frame,
  key: string,
  calls: readonly ToolCall[],
): Promise<readonly Observation[]> {
  if (calls.length === 0) return [];
  frame.signal.throwIfAborted();
  const { granted, refusal } = frame.ledger.reserveToolCalls(calls.length);
  // The stage may still answer with what is known; then it ends limited.
  if (refusal !== undefined) frame.limitedBy = refusal;
  const results = await settleAll(
    calls.map((call, index) =>
      index < granted ? executeCall(frame, `${key}/call:${index}`, call) : overLimit(call),
    ),
  );
  const observations = results.map((result, index) =>
    observe(frame, calls[index] as ToolCall, result, index),
  );
  const all = Object.freeze([...frame.state.observations, ...observations]);
  frame.state = { ...frame.state, observations: all };
  for (const observation of observations) tellObservation(frame, key, observation);
  for (const observation of observations) guardRepeats(frame, key, observation);
  return frame.state.observations.slice(-calls.length);
}

/** Waits for all, also when one throws (an abort), so that nothing runs on unseen; then throws the first fault. */
async function settleAll(results: readonly Promise<ToolResult>[]): Promise<readonly ToolResult[]> {
  const settled = await Promise.allSettled(results);
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

async function executeCall(frame: Frame, key: string, call: ToolCall): Promise<ToolResult> {
  const { bus, linked } = frame.run;
  const scope = childScope(frame, key);
  const startedAt = linked.clock.now();
  const tool = nameOf(frame, call);
  bus.emit("tool-call.start", { tool, callId: call.id, arguments: call.arguments }, scope);
  const end = (
    outcome: "done" | "failed" | "limited" | "aborted",
    cached: boolean,
    fault?: { code: string; message: string },
  ): void => {
    const durationMs = linked.clock.now() - startedAt;
    bus.emit(
      "tool-call.end",
      {
        tool,
        callId: call.id,
        outcome,
        cached,
        durationMs,
        ...(fault === undefined ? {} : { fault }),
      },
      scope,
    );
  };
  try {
    const result = await callTool(frame, scope, call);
    end(result.ok && !result.degraded ? "done" : "failed", result.cached, result.fault);
    return result;
  } catch (thrown) {
    end(
      thrown instanceof LimitError ? "limited" : frame.signal.aborted ? "aborted" : "failed",
      false,
    );
    throw thrown;
  }
}

async function overLimit(call: ToolCall): Promise<ToolResult> {
  return refused(
    call.arguments,
    "limit-tool-calls",
    "not executed: the limit on tool calls is reached; answer with what is known",
  );
}

function nameOf(frame: Frame, call: ToolCall): string {
  for (const entry of frame.run.linked.program.tools.values())
    if (entry.wireName === call.name || entry.name === call.name) return entry.name;
  return call.name.replaceAll(NOT_IN_NAMES, "_").slice(0, 64);
}

/** A name that the model made up stands in prompts as the attribute of an observation; it must not end it. */
const NOT_IN_NAMES = /[^\w./:-]/gu;

function observe(frame: Frame, call: ToolCall, result: ToolResult, index: number): Observation {
  const own = frame.state.observations.filter((known) =>
    known.id.startsWith(`${frame.branch}observation-`),
  ).length;
  return Object.freeze({
    id: `${frame.branch}observation-${own + index + 1}`,
    tool: nameOf(frame, call),
    input: frame.run.linked.redactor.data(result.input),
    content: frame.run.linked.redactor.text(result.content),
    ok: result.ok,
    degraded: result.degraded,
  });
}

function tellObservation(frame: Frame, key: string, observation: Observation): void {
  frame.run.bus.emit("observation.recorded", { ...observation }, childScope(frame, key));
}

/** The same call with the same result: at the policy's count a hint, one more time ends the run's work. */
function guardRepeats(frame: Frame, key: string, observation: Observation): void {
  const { repeats, linked, bus } = frame.run;
  const { tool } = observation;
  const policy = frame.node?.policies[tool] ?? linked.program.tools.get(tool)?.policy;
  const max = policy?.repeat ?? 3;
  const call = `${frame.branch}${observation.tool} ${JSON.stringify(observation.input)}`;
  const before = repeats.get(call);
  const count = before?.result === observation.content ? before.count + 1 : 1;
  repeats.set(call, { result: observation.content, count });
  if (count < max) return;
  bus.emit("loop.detected", { tool: observation.tool, times: count }, childScope(frame, key));
  if (count > max) {
    throw new LimitError(
      "limit-repeat",
      `the model asked ${observation.tool} ${count} times for the same thing and got the same result; no further call helps`,
      {
        details: { tool: observation.tool, times: count },
      },
    );
  }
  const hint = `\n[the same call gave the same result ${count} times; do something else, or answer with what is known]`;
  frame.state = {
    ...frame.state,
    observations: frame.state.observations.map((known) =>
      known.id === observation.id ? { ...known, content: known.content + hint } : known,
    ),
  };
}
