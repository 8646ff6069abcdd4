import type { Task } from "../contracts/state.ts";
import { newPrefix } from "./fan-out.ts";
import { followSignal } from "./follow-signal.ts";
import { Ledger, type OnLimit } from "./ledger.ts";
import type { LinkedProgram } from "./linked-program.ts";
import { neutralState } from "./neutral-state.ts";
import { RunClock } from "./run-clock.ts";
import { type Frame, rootFrame, type RunScope } from "./run-scope.ts";

/** An agent inside a run, before its first stage. */
export interface OpenAgent {
  readonly root: Frame;
  readonly close: () => void;
}

/** Opens an agent below a frame: its scope is the run's but for its program, its ledger lies below the stage's. */
export function openAgent(frame: Frame, key: string, linked: LinkedProgram, task: Task): OpenAgent {
  const { run } = frame;
  const { program } = linked;
  const name = frame.stage?.id ?? "agent";
  const scope = frame.step?.scope ?? frame.scope;
  const { ledger, clock } = openLimits(frame, linked, (limit, soft, used, max) =>
    run.bus.emit("limit.reached", { limit: `agents.${name}.${limit}`, soft, used, max }, scope),
  );
  const work = followSignal(frame.signal, clock.workSignal);
  const end = followSignal(frame.signal, clock.endSignal);
  const inner: RunScope = {
    ...run,
    linked,
    inputs: task.inputs,
    workSignal: work.controller.signal,
    endSignal: end.controller.signal,
    isTimeNear: () => clock.isNear() || run.isTimeNear(),
    repeats: new Map(),
    dryRun: run.dryRun || program.dryRun,
  };
  run.clocks.add(clock);
  clock.start();
  if (run.people.pending().length > 0) clock.waiting(true);
  const branch = newPrefix(frame, name);
  const state = neutralState(task, program.stages.values());
  const close = (): void => {
    clock.stop();
    run.clocks.delete(clock);
    work.release();
    end.release();
  };
  return { root: rootFrame({ run: inner, key, branch, scope, ledger, state }), close };
}

function openLimits(
  frame: Frame,
  { program, clock: time }: LinkedProgram,
  onLimit: OnLimit,
): { readonly ledger: Ledger; readonly clock: RunClock } {
  const { limits, bounds } = program;
  const ledger: Ledger = new Ledger({
    limits,
    parent: frame.ledger,
    reserve: bounds.reserve,
    worstCase: bounds.requests[1] - bounds.conclusion,
    purposeAbove: frame.purpose,
    onLimit,
    isTimeNear: () => clock.isNear(),
  });
  const clock = new RunClock({
    clock: time,
    limits,
    onLimit: (limit, soft, used, max) => ledger.tellTime(limit, soft, used, max),
  });
  return { ledger, clock };
}
