import type { Task } from "../contracts/state.ts";
import { AbortError, messageOf } from "../errors/loopwright-error.ts";
import { EventBus } from "../events/event-bus.ts";
import type { Scope } from "../events/scope.ts";
import { SinkQueue } from "../events/sink-queue.ts";
import { followSignal } from "./follow-signal.ts";
import { Ledger } from "./ledger.ts";
import type { Limits } from "../program/program.ts";
import type { LinkedProgram } from "./linked-program.ts";
import { neutralState } from "./neutral-state.ts";
import { People } from "./people.ts";
import type { RunSettings } from "./run.ts";
import { RunClock } from "./run-clock.ts";
import { LiveInput } from "./live-input.ts";
import { Messages } from "./messages.ts";
import { type RecordedInput, recordedInput } from "./recorded-input.ts";
import { LiveSwitches } from "./switches.ts";
import { type Frame, rootFrame, type RunScope } from "./run-scope.ts";
import { ToolListings } from "../tools/tool-listings.ts";
import { ToolPots } from "../tools/tool-pot.ts";

/** A run before its first event: what its stages share, its root frame, and the ways out. */
export interface OpenRun {
  readonly scope: RunScope;
  readonly root: Frame;
  readonly clock: RunClock;
  readonly bus: EventBus;
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
  const bus = new EventBus({ runId: id, now: () => linked.clock.now(), redactor: linked.redactor });
  const aborter = new AbortController();
  const abort = (reason = "the host aborted the run"): void =>
    aborter.abort(new AbortError(reason));
  const { ledger, clock } = openLimits(linked, bus);
  const { switches, live, recorded } = openLive(linked, settings, { bus, ledger, clock });
  const clocks: RunScope["clocks"] = new Set([clock]);
  const [workSignal, endSignal] = signalsOf(clock, aborter.signal);
  const sinks = connectSinks(linked, bus);
  const people = openPeople(settings, recorded, clocks);
  const scope: RunScope = {
    id,
    linked,
    bus,
    people,
    inputs: task.inputs,
    signal: aborter.signal,
    workSignal,
    endSignal,
    clocks,
    isTimeNear: () => clock.isNear(),
    callLogs: new Map(),
    room: () => (sinks.some((sink) => sink.isFull) ? roomIn(sinks) : undefined),
    dryRun: settings.dryRun === true || linked.program.dryRun,
    switches,
    live,
    recordedCalls: recorded?.calls,
    pots: openPots(linked, bus, clocks, people),
    listings: new ToolListings(),
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
  const root = { run: scope, key: "run", branch: "", scope: ROOT_SCOPE, ledger, state };
  return { scope, root: rootFrame(root), clock, bus, sinks, abort, dispose };
}

/** The signals for work and for what comes after it; they are slow to make, so a run whose time is not limited has one. */
function signalsOf(clock: RunClock, aborted: AbortSignal): readonly [AbortSignal, AbortSignal] {
  const orWhen = (timeUp: AbortSignal): AbortSignal =>
    followSignal(aborted, timeUp).controller.signal;
  return clock.hasLimits ? [orWhen(clock.workSignal), orWhen(clock.endSignal)] : [aborted, aborted];
}

/** Clocks of work stand still while a person is waited for. */
function openPeople(
  settings: RunSettings,
  recorded: RecordedInput | undefined,
  clocks: RunScope["clocks"],
): People {
  return new People({
    ...(recorded === undefined ? {} : { recorded: recorded.replies }),
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
    limits: { ...loweredLater(linked.program), ...limits },
    onLimit: (limit, soft, used, max) => ledger.tellTime(limit, soft, used, max),
  });
  return { ledger, clock };
}

function openPots(
  { clock }: LinkedProgram,
  bus: EventBus,
  clocks: RunScope["clocks"],
  people: People,
): ToolPots {
  return new ToolPots({
    clock,
    clocks,
    isWaiting: () => people.pending().length > 0,
    onLimit: (limit, soft, used, max) =>
      bus.emit("limit.reached", { limit, soft, used, max }, ROOT_SCOPE),
  });
}

/** What people may do to the run while it works. */
function openLive(
  { program, redactor }: LinkedProgram,
  settings: RunSettings,
  {
    bus,
    ledger,
    clock,
  }: { readonly bus: EventBus; readonly ledger: Ledger; readonly clock: RunClock },
): {
  readonly switches: LiveSwitches;
  readonly live: LiveInput;
  readonly recorded: RecordedInput | undefined;
} {
  const recorded = settings.recorded === undefined ? undefined : recordedInput(settings.recorded);
  const switches = new LiveSwitches(program.switches ?? new Map(), program.limits, (limits) => {
    ledger.setLimits(limits);
    clock.setLimits(limits);
  });
  const messages = new Messages(bus, redactor, recorded);
  const known = { messages, switches, bus };
  const live = new LiveInput(recorded === undefined ? known : { ...known, recorded });
  return { switches, live, recorded };
}

/** Limits on time that only a switch names: the time is counted from the start. */
function loweredLater({ switches }: LinkedProgram["program"]): Limits {
  const named = [...(switches?.values() ?? [])].flatMap(({ limits }) => Object.keys(limits));
  const keys = new Set(named);
  const watched = (["timeMs", "workTimeMs"] as const).filter((key) => keys.has(key));
  return Object.fromEntries(watched.map((key) => [key, Number.POSITIVE_INFINITY]));
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
