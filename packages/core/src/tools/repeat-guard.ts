import { definePrompt } from "../contracts/prompt.ts";
import type { Observation } from "../contracts/state.ts";
import { LimitError } from "../errors/loopwright-error.ts";
import type { Scope } from "../events/scope.ts";
import type { ToolPolicy } from "../program/tool-policy.ts";
import { say } from "../run/language-of.ts";
import type { Frame } from "../run/run-scope.ts";
import { CallLog, type Rounds } from "./call-log.ts";
import { entryOf, policyOf } from "./stage-tool.ts";

/** How often the same call, or the same cycle of calls, has brought the same, and how often it may. */
export interface Repetition extends Rounds {
  readonly tool: string;
}

/** Where nothing says how often. */
const usualRepeat = 3;

/** The calls that were made in the frame's branch. */
export function callLog({ run, branch }: Frame): CallLog {
  const known = run.callLogs.get(branch);
  if (known !== undefined) return known;
  const log = new CallLog();
  run.callLogs.set(branch, log);
  return log;
}

/** Counts the calls of one batch and their results. */
export function countRepeats(
  frame: Frame,
  observations: readonly Observation[],
): readonly Repetition[] {
  callLog(frame).beginBatch();
  return observations.map((observation) => countRepeat(frame, observation));
}

/** What a thought counts as. */
const NO_ROUNDS: Rounds = { times: 0, max: usualRepeat };

function countRepeat(frame: Frame, observation: Observation): Repetition {
  const { tool, input, content, isThought } = observation;
  if (isThought === true) return { tool, ...NO_ROUNDS };
  const entry = entryOf(frame, tool);
  const max = entry === undefined ? usualRepeat : mostRepeats(policyOf(frame, entry));
  const call = callKey(tool, input);
  const ok = observation.ok && !observation.degraded;
  return { tool, ...callLog(frame).add({ tool, call, result: content, max, ok }) };
}

/** What tells two calls apart. */
export function callKey(tool: string, input: unknown): string {
  return `${tool} ${JSON.stringify(input)}`;
}

// Asking again is what a tool that polls is for.
function mostRepeats({ polls, repeat }: ToolPolicy): number {
  return polls === true ? Number.POSITIVE_INFINITY : repeat;
}

/** What the model reads beside a result that it has had too often. */
export function repeatHint(
  frame: Frame,
  { times, cycle, measure }: Repetition,
): string | undefined {
  if (measure !== "hint") return undefined;
  if (cycle === undefined) return say(frame, SAME_CALL, { times });
  return say(frame, SAME_CYCLE, { count: cycle.length, times });
}

const SAME_CALL = definePrompt({
  en: "the same call gave the same result {{times}} times; do something else, or answer with what is known",
  zh: "同样的调用已 {{times}} 次得到同样的结果；请换一种做法，或根据已知内容作答",
});
const SAME_CYCLE = definePrompt({
  en: "the same {{count}} calls came round {{times}} times with the same results; do something else, or answer with what is known",
  zh: "同样的 {{count}} 个调用已循环 {{times}} 轮，结果都相同；请换一种做法，或根据已知内容作答",
});

/**
 * Tells the loops. After a hint that the model could read, a further time turns the tools of the stage off: it may still
 * answer with what is known, and then ends limited.
 */
export function endLoops(frame: Frame, repetitions: readonly Repetition[], scope: Scope): void {
  for (const { tool, times, cycle, measure } of repetitions) {
    if (measure === undefined) continue;
    const loop = { tool, times, measure, ...(cycle === undefined ? {} : { cycle }) } as const;
    frame.run.bus.emit("loop.detected", loop, scope);
    if (measure === "tools-off") frame.toolsOff ??= repeatError(loop);
  }
  if (frame.toolsOff !== undefined) frame.limitedBy ??= frame.toolsOff;
}

function repeatError({
  tool,
  times,
  cycle,
}: Pick<Repetition, "tool" | "times" | "cycle">): LimitError {
  const what =
    cycle === undefined
      ? `the model asked ${tool} ${times} times for the same thing and got the same result`
      : `the model called ${cycle.join(", ")} in a circle ${times} times and got the same results`;
  return new LimitError("limit-repeat", `${what}; no further call helps`, {
    details: { tool, times, ...(cycle === undefined ? {} : { cycle }) },
  });
}

const turnedAway = new WeakSet<Frame>();

/** What the model is told instead of results once the tools of its stage are off; a stage that asks on after that is ended. */
export function turnAway(frame: Frame): string | undefined {
  if (frame.toolsOff === undefined) return undefined;
  if (turnedAway.has(frame)) throw frame.toolsOff;
  turnedAway.add(frame);
  return say(frame, TOOLS_OFF);
}

const TOOLS_OFF = definePrompt({
  en: "not executed: tools are off now, because the same calls brought nothing new; answer with what is known, and say what stays open",
  zh: "未执行：工具现已停用，因为同样的调用没有带来任何新信息；请根据已知内容作答，并说明还有什么没有解决",
});
