import type { RejectedReply } from "../contracts/dead-letter.ts";
import type { ScopeOutcome } from "../contracts/event.ts";
import type { Json, JsonObject } from "../contracts/json.ts";
import type { RunState, StageResult } from "../contracts/state.ts";
import type { CleanList } from "../events/redactor.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { Scope } from "../events/scope.ts";
import { InternalError, type LimitError } from "../errors/loopwright-error.ts";
import type { CompiledSequence, CompiledStage } from "../program/program.ts";
import type { Ledger, Purpose } from "./ledger.ts";
import type { LinkedProgram } from "./linked-program.ts";
import type { People } from "./people.ts";
import type { RunClock } from "./run-clock.ts";
import type { Switches } from "./switches.ts";
import { untilAborted } from "../calls/until-aborted.ts";

/** What every stage of one run shares. */
export interface RunScope {
  readonly id: string;
  readonly linked: LinkedProgram;
  readonly bus: EventBus;
  readonly people: People;
  readonly inputs: { readonly [key: string]: Json };
  /** Aborts when the host aborts the run. */
  readonly signal: AbortSignal;
  /** Aborts also when the time for work is used up; calls in flight end with it. */
  readonly workSignal: AbortSignal;
  /** Aborts with the host, or when all time is used up: for stages marked `always` and the conclusion. */
  readonly endSignal: AbortSignal;
  /** True when the time limit is near. */
  isTimeNear(): boolean;
  /** How often each call of a tool gave the same result. */
  readonly repeats: Map<string, { readonly result: string; readonly count: number }>;
  /** Resolves when every sink that may hold a run back has room; undefined where all have. */
  readonly room: () => Promise<void> | undefined;
  /** Every clock of the run and its stages that stands still while people are asked. */
  readonly clocks: Set<RunClock>;
  readonly dryRun: boolean;
  readonly switches: Switches;
  /** What is told once in a run and has been told. */
  readonly told: Set<string>;
  /** The replies that were refused, the latest ones. */
  readonly rejected: RejectedReply[];
  /** Runs the stages of a slot or a branch in a frame. */
  readonly runStages: (
    frame: Frame,
    sequence: CompiledSequence,
    onEnded?: OnEnded,
  ) => Promise<void>;
}

/** Called once when a stage of a sequence ends it early, before the stages marked `always` run. */
export type OnEnded = (ender: unknown) => Promise<void>;

/** The sequential frame of one stage: its state, its step keys, and whether a verb is pending. */
export interface Frame {
  readonly run: RunScope;
  readonly stage: CompiledStage | undefined;
  readonly key: string;
  /** Joins the ids of observations made inside a branch. */
  readonly branch: string;
  readonly scope: Scope;
  readonly ledger: Ledger;
  readonly purpose: Purpose;
  /** Aborts when the frame's work must end: the run's abort, its time, or the stage's own time. */
  readonly signal: AbortSignal;
  /** Names that expressions and templates see beside the state: what the slots around the frame bind. */
  readonly bindings: JsonObject;
  /** What the children of slots with several came to, by `slot.name`; a stage and its branches share it. */
  readonly children: Map<string, StageResult>;
  state: RunState;
  pendingVerb: { readonly name: string; readonly settled: Promise<void> } | undefined;
  readonly counters: Map<string, number>;
  step: { readonly index: number; readonly scope: Scope } | undefined;
  /** The messages that were last looked at for secrets. */
  lastClean: CleanList | undefined;
  /** The messages of the last model call, to log only what is new. */
  lastMessages: readonly object[];
  /** A limit that ended a branch of this stage; the stage ends with it after its own changes are kept. */
  limitedBy: LimitError | undefined;
  /** True when the stage has left a value of its own, which its answer does not replace. */
  hasValue: boolean;
  /** True when the stage or branch has ended: verbs that it left behind start nothing. */
  isClosed: boolean;
}

/** Makes a frame below another one, or the root. */
export function childFrame(
  parent: Frame,
  options: {
    readonly key: string;
    readonly stage?: CompiledStage;
    readonly branch?: string;
    readonly state?: RunState;
    readonly bindings?: JsonObject;
    readonly ledger?: Ledger;
    readonly purpose?: Purpose;
    readonly signal?: AbortSignal;
    /** True for a stage, which opens a scope of its own; what happens in other frames belongs to the scope around them. */
    readonly isStage?: boolean;
  },
): Frame {
  const name = options.stage?.id ?? parent.scope.stage;
  const around = { ...(parent.step?.scope ?? parent.scope), stage: name };
  const scope = options.isStage === true ? childScope(parent, options.key, name) : around;
  return {
    run: parent.run,
    stage: options.stage ?? parent.stage,
    key: options.key,
    branch: options.branch ?? parent.branch,
    scope,
    ledger: options.ledger ?? parent.ledger,
    purpose: options.purpose ?? parent.purpose,
    signal: options.signal ?? parent.signal,
    bindings: options.bindings ?? parent.bindings,
    children: options.stage === undefined ? parent.children : new Map(),
    state: options.state ?? parent.state,
    ...untouched(),
  };
}

/** Makes the frame around all stages of a program: a run's, or one of an agent inside it. */
export function rootFrame(
  given: Pick<Frame, "run" | "key" | "branch" | "scope" | "ledger" | "state">,
): Frame {
  return {
    ...given,
    stage: undefined,
    purpose: "work",
    signal: given.run.workSignal,
    bindings: {},
    children: new Map(),
    ...untouched(),
  };
}

type Untouched = Pick<
  Frame,
  | "pendingVerb"
  | "counters"
  | "step"
  | "lastClean"
  | "lastMessages"
  | "limitedBy"
  | "hasValue"
  | "isClosed"
>;

/** What a frame begins with. */
function untouched(): Untouched {
  return {
    pendingVerb: undefined,
    counters: new Map(),
    step: undefined,
    lastClean: undefined,
    lastMessages: [],
    limitedBy: undefined,
    hasValue: false,
    isClosed: false,
  };
}

/** A scope below the frame's open step, or below the frame. */
export function childScope(parent: Frame, key: string, stage: string = parent.scope.stage): Scope {
  const outer = parent.step?.scope ?? parent.scope;
  return { spanId: key, parentId: outer.spanId, key, stage };
}

/** Runs one verb of a strategy: derives its step key, and refuses a second one while it is pending. */
export function verb<T>(
  frame: Frame,
  name: string,
  action: (key: string) => Promise<T>,
): Promise<T> {
  const refusal = refusalOf(frame, name);
  if (refusal !== undefined) return letGo(Promise.reject(refusal));
  const count = frame.counters.get(name) ?? 0;
  frame.counters.set(name, count + 1);
  const key = `${frame.key}/${name}:${count}`;
  const over = (): void => {
    frame.pendingVerb = undefined;
  };
  const pending = { name, settled: Promise.resolve() };
  frame.pendingVerb = pending;
  const room = frame.run.room();
  const result =
    room === undefined
      ? action(key)
      : untilAborted(() => room, frame.signal).then(() => action(key));
  // A strategy that lets go of a verb is told by its stage, never by an unhandled rejection.
  pending.settled = result.then(over, over);
  return result;
}

/** Why a verb can't be started now. */
function refusalOf(frame: Frame, name: string): Error | undefined {
  if (frame.pendingVerb !== undefined) return verbPending(frame, name, frame.pendingVerb.name);
  if (frame.isClosed) {
    return new InternalError(
      "verb-pending",
      `stage \`${frame.scope.stage}\` started \`${name}\` after its end; every verb is awaited`,
    );
  }
  return frame.signal.aborted ? (frame.signal.reason as Error) : undefined;
}

function letGo<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  return result;
}

/** Closes a frame when its work is over: waits for a verb that was let go of, so that all it opened is ended; then says what was wrong. */
export async function closeFrame(frame: Frame): Promise<InternalError | undefined> {
  frame.isClosed = true;
  const pending = frame.pendingVerb;
  if (pending === undefined) return undefined;
  await pending.settled;
  return new InternalError(
    "verb-pending",
    `stage \`${frame.scope.stage}\` ended while \`${pending.name}\` was pending; every verb is awaited`,
  );
}

/** Ends the open step of a frame, if there is one. */
export function closeStep(frame: Frame, outcome: ScopeOutcome): void {
  if (frame.step === undefined) return;
  frame.run.bus.emit("step.end", { index: frame.step.index, outcome }, frame.step.scope);
  frame.step = undefined;
}

function verbPending(frame: Frame, name: string, pending: string): InternalError {
  return new InternalError(
    "verb-pending",
    `stage \`${frame.scope.stage}\` started \`${name}\` while \`${pending}\` was pending; one verb at a time, concurrency goes through fanOut`,
  );
}

/** Thrown by a `stop` stage: ends the run with what there is. */
export class StopSignal extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = "StopSignal";
    this.reason = reason;
  }
}
