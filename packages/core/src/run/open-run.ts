import type { Task } from "../contracts/state.ts";
import { AbortError, messageOf } from "../errors/loopwright-error.ts";
import { EventBus } from "../events/event-bus.ts";
import type { Scope } from "../events/scope.ts";
import { SinkQueue } from "../events/sink-queue.ts";
import { followSignal } from "./follow-signal.ts";
import { Ledger } from "./ledger.ts";
import type { LinkedProgram } from "./linked-program.ts";
import { neutralState } from "./neutral-state.ts";
import { People } from "./people.ts";
import type { RunSettings } from "./run.ts";
import { RunClock } from "./run-clock.ts";
import { NO_SWITCHES } from "./switches.ts";
import { type Frame, rootFrame, type RunScope } from "./run-scope.ts";

/** A run before its first event: what its stages share, its root frame, and the ways out. */
export interface OpenRun {
  readonly scope: RunScope;
  readonly root: Frame;
  readonly clock: RunClock;
  readonly sinks: readonly SinkQueue[];
  readonly abort: (reason?: string) => void;
  readonly dispose: () => void;
}

const ROOT_SCOPE: Scope = { spanId: "run", parentId: "", key: "run", stage: "" };

/** Opens a run: its bus with the sinks, its ledger and clock, its root frame. */
export function openRun(
  linked: LinkedProgram,
  task: Task,
  settings: RunSettings,
  runStages: RunScope["runStages"],
): OpenRun {
  const id = settings.id ?? linked.nextId();
  const now = (): number => linked.clock.now();
  const bus = new EventBus({ runId: id, now, redactor: linked.redactor });
  const aborter = new AbortController();
  const abort = (reason = "the host aborted the run"): void => {
    if (!aborter.signal.aborted) aborter.abort(new AbortError(reason));
  };
  const { ledger, clock } = openLimits(linked, bus);
  const clocks = new Set([clock]);
  // Signals are slow to make: a run whose time is not limited has one.
  const orWhen = (timeUp: AbortSignal): AbortSignal =>
    followSignal(aborter.signal, timeUp).controller.signal;
  const workSignal = clock.hasLimits ? orWhen(clock.workSignal) : aborter.signal;
  const endSignal = clock.hasLimits ? orWhen(clock.endSignal) : aborter.signal;
  const sinks = connectSinks(linked, bus);
  const scope: RunScope = {
    id,
    linked,
    bus,
    people: openPeople(settings, clocks),
    inputs: task.inputs,
    signal: aborter.signal,
    workSignal,
    endSignal,
    clocks,
    isTimeNear: () => clock.isNear(),
    repeats: new Map(),
    room: () => (sinks.some((sink) => sink.isFull) ? roomIn(sinks) : undefined),
    dryRun: settings.dryRun === true || linked.program.dryRun,
    switches: NO_SWITCHES,
    told: new Set(),
    rejected: [],
    runStages,
  };
  const forget = follow(settings.signal, abort);
  const dispose = (): void => {
    forget();
    clock.stop();
    bus.close();
  };
  const state = neutralState(task, linked.program.stages.values());
  const root = rootFrame({ run: scope, key: "run", branch: "", scope: ROOT_SCOPE, ledger, state });
  return { scope, root, clock, sinks, abort, dispose };
}

/** Clocks of work stand still while a person is waited for. */
function openPeople(settings: RunSettings, clocks: ReadonlySet<RunClock>): People {
  return new People({
    isPresent: settings.isPersonPresent ?? true,
    onChange: (waiting) => {
      for (const one of clocks) one.waiting(waiting > 0);
    },
  });
}

async function roomIn(sinks: readonly SinkQueue[]): Promise<void> {
  for (const sink of sinks) if (sink.isFull) await sink.room();
}

function openLimits(
  linked: LinkedProgram,
  bus: EventBus,
): { readonly ledger: Ledger; readonly clock: RunClock } {
  const { limits, bounds } = linked.program;
  const ledger = new Ledger({
    limits,
    reserve: bounds.reserve,
    worstCase: bounds.requests[1] - bounds.conclusion,
    onLimit: (limit, soft, used, max) =>
      bus.emit("limit.reached", { limit, soft, used, max }, ROOT_SCOPE),
  });
  const clock = new RunClock({
    clock: linked.clock,
    limits,
    onLimit: (limit, soft, used, max) => ledger.tellTime(limit, soft, used, max),
  });
  return { ledger, clock };
}

function connectSinks(linked: LinkedProgram, bus: EventBus): readonly SinkQueue[] {
  return linked.instances.sinks.map(({ name, sink, overflow }) => {
    const report = {
      failed: (message: string) => bus.emit("sink.failed", { sink: name, message }, ROOT_SCOPE),
      dropped: (count: number) => bus.emit("events.dropped", { sink: name, count }, ROOT_SCOPE),
    };
    const queue = new SinkQueue({ name, sink, overflow, clock: linked.clock, report });
    bus.on("*", (event) => queue.push(event));
    return queue;
  });
}

/** Aborts with the host's signal; returns the way out, so that a shared signal keeps no listener of a finished run. */
function follow(signal: AbortSignal | undefined, abort: (reason?: string) => void): () => void {
  if (signal === undefined) return () => undefined;
  const onAbort = (): void => abort(messageOf(signal.reason));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return () => signal.removeEventListener("abort", onAbort);
}
