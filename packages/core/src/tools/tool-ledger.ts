import type { ToolEntry } from "../program/program.ts";
import { followSignal } from "../run/follow-signal.ts";
import { Ledger } from "../run/ledger.ts";
import type { Frame } from "../run/run-scope.ts";
import { isListed, policyOf, specEntryOf } from "./stage-tool.ts";
import type { ToolPot } from "./tool-pot.ts";

/** The pots that a call of a tool counts at: the stage's own, where its policy is tighter, and that of the spec's entry. */
export function potsOf(frame: Frame, entry: ToolEntry): readonly ToolPot[] {
  const { pots } = frame.run;
  const spec = specEntryOf(frame, entry);
  const own = policyOf(frame, entry);
  const base = pots.of(spec, spec.name, entry.policy.limits);
  const isTighter = own.limits !== entry.policy.limits;
  const ofStage = isListed(entry) ? frame.stage?.sets?.get(entry.of) : own;
  const tighter = isTighter ? pots.of(ofStage ?? own, spec.name, own.limits) : undefined;
  return [tighter, base].flatMap((pot) => pot ?? []);
}

/**
 * What an agent that is a tool counts its model calls at: the limits of the tool beside those of the calling stage and all
 * above it. Undefined where the tool has no such limits: then the frame's own ledger is enough.
 */
export function toolLedger(frame: Frame, entry: ToolEntry): Ledger | undefined {
  const beside = potsOf(frame, entry).flatMap(({ models }) => models ?? []);
  if (beside.length === 0) return undefined;
  return new Ledger({ limits: {}, parent: frame.ledger, beside, onLimit: () => undefined });
}

/** The time that a call of a tool may still take: its signal aborts with the frame, or with a limit of the tool on time. */
export interface ToolCallTime {
  readonly signal: AbortSignal;
  /** Ends the call: the time of the tool stands still until its next one. */
  readonly leave: () => void;
}

/** Begins the time of a call; where the tool's time is not limited, the signal is the frame's own. */
export function enterTool(frame: Frame, entry: ToolEntry): ToolCallTime {
  const times = potsOf(frame, entry).flatMap(({ time }) => time ?? []);
  if (times.length === 0) return { signal: frame.signal, leave: () => undefined };
  const { controller, release } = followSignal(frame.signal, ...times.map(({ signal }) => signal));
  const leaves = [...times.map((time) => time.enter()), release];
  return { signal: controller.signal, leave: () => leaves.forEach((leave) => leave()) };
}
