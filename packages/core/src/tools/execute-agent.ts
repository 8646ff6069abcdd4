import type { ScopeOutcome } from "../contracts/event.ts";
import type { JsonObject } from "../contracts/json.ts";
import { definePrompt } from "../contracts/prompt.ts";
import type { AnswerDraft, Task } from "../contracts/state.ts";
import { AbortError, InternalError, LimitError, ToolError } from "../errors/loopwright-error.ts";
import { agentKey } from "../program/agent-key.ts";
import { Deadline } from "../run/deadline.ts";
import { followSignal } from "../run/follow-signal.ts";
import { say } from "../run/language-of.ts";
import type { LinkedProgram } from "../run/linked-program.ts";
import { openAgent, type OpenAgent } from "../run/open-agent.ts";
import { orOverdue } from "../run/overdue.ts";
import { readInput } from "../run/read-input.ts";
import { answerOf, runToItsEnd } from "../run/run-agent.ts";
import type { Frame, RunScope } from "../run/run-scope.ts";
import { DegradedOutput } from "./degraded-output.ts";
import { hasEffectBelow } from "./executed-effects.ts";
import type { Execution } from "./execution.ts";
import { type ToolCallTime, toolLedger } from "./tool-ledger.ts";

/**
 * Runs the agent that a tool names, below the frame of the calling stage; gives its answer as the tool's output.
 *
 * Its stages are nested under the tool call, its observations are its own. An answer that a limit of its own cut short, or
 * that says why the task can't be done, is degraded; what ends it otherwise is thrown. When the call must end, the agent
 * has a moment to unwind; what does not is left behind and not heard any more.
 */
export async function executeAgent(execution: Execution): Promise<unknown> {
  const { frame, scope, known } = execution;
  const { entry, input } = known;
  const linked = frame.run.linked.agents.get(agentKey(entry.name));
  if (linked === undefined)
    throw new InternalError("contract-broken", `the tool \`${entry.name}\` has no agent`);
  const task = taskOf(linked, input);
  const time = openTime(execution);
  const key = ownKey(frame.run, scope.key);
  const agent = openAgent(
    frame,
    {
      key,
      name: entry.name,
      prefix: prefixOf(frame, entry.name, key),
      scope,
      ledger: toolLedger(frame, entry) ?? frame.ledger,
      signal: time.signal,
    },
    linked,
    task,
  );
  try {
    return await outputOf(frame, entry.name, agent, time.signal);
  } catch (thrown) {
    // What it has done by then stands, though its answer is lost.
    execution.isUnsure ||= hasEffectBelow(frame.run, key);
    throw thrown;
  } finally {
    agent.close();
    time.leave();
  }
}

async function outputOf(
  frame: Frame,
  tool: string,
  agent: OpenAgent,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const work = runToItsEnd(frame, agent, signal);
    const ended = await orOverdue(work, signal, frame.run.linked.clock);
    signal.throwIfAborted();
    const limit = ended === "overdue" ? undefined : ended;
    return outputFor(frame, tool, withoutCitations(answerOf(agent), agent.root.branch), limit);
  } catch (thrown) {
    // What the stage may still use has a limit that the agent met first.
    if (frame.ledger.hasRefused(thrown)) frame.limitedBy = thrown as LimitError;
    throw thrown;
  } finally {
    agent.bus.seal(outcomeOf(signal.reason));
  }
}

/** What the agent has observed is its own: the run around it has no observation of these ids. */
function withoutCitations(answer: AnswerDraft, branch: string): AnswerDraft {
  const prefix = branch.replaceAll(/[^\w-]/g, String.raw`\$&`);
  const citation = new RegExp(String.raw` ?\[${prefix}[^\]\s]*observation-\d+\]`, "gu");
  return { ...answer, text: answer.text.replaceAll(citation, "") };
}

/** The outcome of what is left behind. */
function outcomeOf(reason: unknown): ScopeOutcome {
  if (reason instanceof AbortError) return "aborted";
  return reason instanceof LimitError ? "limited" : "failed";
}

/** The typed value as JSON where there is one, else the text; where it is not what was asked for, in words that say so. */
function outputFor(
  frame: Frame,
  tool: string,
  answer: AnswerDraft,
  limit: LimitError | undefined,
): string | DegradedOutput {
  const { text, value, solvable = true, unsolvableReason = "" } = answer;
  const isTyped = value !== undefined && value !== null && typeof value !== "string";
  const output = isTyped ? JSON.stringify(value) : text;
  if (!solvable) {
    const rest = text.trim() === "" || text === unsolvableReason ? "" : `\n${text}`;
    return new DegradedOutput(say(frame, COULD_NOT, { tool, reason: unsolvableReason, rest }));
  }
  if (limit === undefined) return output;
  return new DegradedOutput(say(frame, CUT_SHORT, { tool, limit: limit.code, output }));
}

/** The task of a call: what its arguments say is an input where the agent declares one, else the task in words. */
function taskOf({ program }: LinkedProgram, input: JsonObject): Task {
  const { task, ...inputs } = input;
  if (typeof task !== "string") return readInput(program, { inputs: input });
  if (Object.hasOwn(program.inputs.fields, "task"))
    return readInput(program, { inputs: input }, task);
  return readInput(program, { inputs, task });
}

/** The signal of one execution: that of the call, with a timeout that stands still while people are asked. */
function openTime({ frame, known: { entry, policy }, signal }: Execution): ToolCallTime {
  const { timeoutMs } = policy;
  // No timeout unless the spec says one: an agent has limits of its own.
  if (!Number.isFinite(timeoutMs)) return { signal, leave: () => undefined };
  const { clocks, people, linked } = frame.run;
  const { controller, release } = followSignal(signal);
  const message = say(frame, TIMED_OUT, { tool: entry.name, time: timeoutMs });
  const deadline = new Deadline(linked.clock, timeoutMs, () =>
    controller.abort(new ToolError("tool-timeout", message, { retryable: true })),
  );
  const watch = {
    waiting: (isWaiting: boolean): void => (isWaiting ? deadline.pause() : deadline.start()),
  };
  clocks.add(watch);
  watch.waiting(people.pending().length > 0);
  const leave = (): void => {
    deadline.pause();
    clocks.delete(watch);
    release();
  };
  return { signal: controller.signal, leave };
}

const opened = new WeakMap<RunScope, Map<string, number>>();

/** The key of an agent's stages; an attempt after the first has one of its own. */
function ownKey(run: RunScope, key: string): string {
  const counts = opened.get(run) ?? new Map<string, number>();
  opened.set(run, counts);
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return count === 0 ? key : `${key}/again:${count}`;
}

/** The place of a call in its stage, so that calls beside each other are told apart whichever begins first. */
function prefixOf(frame: Frame, tool: string, key: string): string {
  const place = key.slice(frame.key.length).match(/\d+/g) ?? [];
  return [tool, ...place].join("-");
}

const COULD_NOT = definePrompt({
  en: "{{tool}} could not do it: {{reason}}{{rest}}",
  zh: "{{tool}} 无法完成：{{reason}}{{rest}}",
});
const CUT_SHORT = definePrompt({
  en: "{{tool}} was cut short by a limit ({{limit}}); what it had by then:\n{{output}}",
  zh: "{{tool}} 因限制而中断（{{limit}}）；到那时已有的内容：\n{{output}}",
});
const TIMED_OUT = definePrompt({
  en: "{{tool}} did not answer within {{time}} ms",
  zh: "{{tool}} 在 {{time}} 毫秒内没有回应",
});
