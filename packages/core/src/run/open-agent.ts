import type { Task } from "../contracts/state.ts";
import { InnerBus } from "../events/run-bus.ts";
import type { Scope } from "../events/scope.ts";
import { newPrefix } from "./fan-out.ts";
import { followSignal } from "./follow-signal.ts";
import { Ledger } from "./ledger.ts";
import type { OnLimit } from "./limit-teller.ts";
import type { LinkedProgram } from "./linked-program.ts";
import { neutralState } from "./neutral-state.ts";
import { RunClock } from "./run-clock.ts";
import { type Frame, rootFrame, type RunScope } from "./run-scope.ts";
import { NO_SWITCHES } from "./switches.ts";

/** Where an agent runs inside a run. */
export interface AgentPlace {
  /** The step key that its own keys begin with. */
  readonly key: string;
  /** By which the spec around it knows it: a stage or a tool. */
  readonly name: string;
  /** What the ids of its observations begin with. */
  readonly prefix: string;
  /** The scope that its stages lie in. */
  readonly scope: Scope;
  readonly ledger: Ledger;
  /** Ends the agent when it aborts. */
  readonly signal: AbortSignal;
}

/** An agent inside a run, before its first stage. */
export interface OpenAgent {
  readonly root: Frame;
  /** What it tells goes up through this bus, until it is sealed. */
  readonly bus: InnerBus;
  readonly close: () => void;
}

/** Opens an agent below a frame: its scope is the run's but for its program, its ledger lies below that of its place. */
export function openAgent(
  frame: Frame,
  place: AgentPlace,
  linked: LinkedProgram,
  task: Task,
): OpenAgent {
  const { run } = frame;
  const { program } = linked;
  const { key, name, scope } = place;
  const bus = new InnerBus(run.bus);
  const { ledger, clock } = openLimits(frame, place, linked, (limit, soft, used, max) =>
    bus.emit("limit.reached", { limit: `agents.${name}.${limit}`, soft, used, max }, scope),
  );
  const work = followSignal(place.signal, clock.workSignal);
  const end = followSignal(place.signal, clock.endSignal);
  const inner: RunScope = {
    ...run,
    linked,
    bus,
    // Those of the run name its own stages and tools.
    switches: NO_SWITCHES,
    inputs: task.inputs,
    workSignal: work.controller.signal,
    endSignal: end.controller.signal,
    isTimeNear: () => clock.isNear() || run.isTimeNear(),
    callLogs: new Map(),
    dryRun: run.dryRun || program.dryRun,
  };
  run.clocks.add(clock);
  clock.start();
  if (run.people.pending().length > 0) clock.waiting(true);
  const branch = newPrefix(frame, place.prefix);
  const state = neutralState(task, program.stages.values());
  const close = (): void => {
    clock.stop();
    run.clocks.delete(clock);
    work.release();
    end.release();
  };
  return { root: rootFrame({ run: inner, key, branch, scope, ledger, state }), bus, close };
}

function openLimits(
  frame: Frame,
  place: AgentPlace,
  { program, clock: time }: LinkedProgram,
  onLimit: OnLimit,
): { readonly ledger: Ledger; readonly clock: RunClock } {
  const { limits, bounds } = program;
  const ledger: Ledger = new Ledger({
    limits,
    parent: place.ledger,
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
