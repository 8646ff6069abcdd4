import type { Observation } from "../contracts/state.ts";
import { LimitError } from "../errors/loopwright-error.ts";
import type { Scope } from "../events/scope.ts";
import type { ToolPolicy } from "../program/tool-policy.ts";
import type { Frame } from "../run/run-scope.ts";
import { policyOf } from "./stage-tool.ts";

/** How often the same call has given the same result, and how often it may. */
export interface Repetition {
  readonly tool: string;
  readonly times: number;
  readonly max: number;
}

/** Counts a call and its result. */
export function countRepeat(frame: Frame, { tool, input, content }: Observation): Repetition {
  const { repeats, linked } = frame.run;
  const entry = linked.program.tools.get(tool);
  const max = entry === undefined ? 3 : mostRepeats(policyOf(frame, entry));
  const call = `${frame.branch}${tool} ${JSON.stringify(input)}`;
  const before = repeats.get(call);
  const times = before?.result === content ? before.count + 1 : 1;
  repeats.set(call, { result: content, count: times });
  return { tool, times, max };
}

// Asking again is what a tool that polls is for.
function mostRepeats({ polls, repeat }: ToolPolicy): number {
  return polls === true ? Number.POSITIVE_INFINITY : repeat;
}

/** What the model reads at the end of a result that it has had too often. */
export function repeatHint({ times, max }: Repetition): string {
  return times === max
    ? `\n[the same call gave the same result ${times} times; do something else, or answer with what is known]`
    : "";
}

/** Tells the loops; one more time after the hint ends the run's work. */
export function endLoops(frame: Frame, repetitions: readonly Repetition[], scope: Scope): void {
  const loops = repetitions.filter(({ times, max }) => times >= max);
  for (const { tool, times } of loops) frame.run.bus.emit("loop.detected", { tool, times }, scope);
  const worst = loops.find(({ times, max }) => times > max);
  if (worst === undefined) return;
  const { tool, times } = worst;
  throw new LimitError(
    "limit-repeat",
    `the model asked ${tool} ${times} times for the same thing and got the same result; no further call helps`,
    { details: { tool, times } },
  );
}
