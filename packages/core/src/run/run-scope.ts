import type { RejectedReply } from "../contracts/dead-letter.ts";
import type { ScopeOutcome } from "../contracts/event.ts";
import type { Json, JsonObject } from "../contracts/json.ts";
import type { SlotDeclaration } from "../contracts/slots.ts";
import type { Plan, RunState, StageResult } from "../contracts/state.ts";
import type { ReplanRequest, StrategyContext } from "../contracts/strategy-context.ts";
import type { CleanList } from "../events/redactor.ts";
import type { RunBus } from "../events/run-bus.ts";
import type { Scope } from "../events/scope.ts";
import { InternalError, type LimitError } from "../errors/loopwright-error.ts";
import type { CompiledSequence, CompiledStage } from "../program/program.ts";
import type { Ledger } from "./ledger.ts";
import type { Purpose } from "./purpose.ts";
import type { LinkedProgram } from "./linked-program.ts";
import type { People } from "./people.ts";
import type { RecordedCalls } from "./recorded-calls.ts";
import type { RunClock } from "./run-clock.ts";
import type { LiveInput } from "./live-input.ts";
import type { Switches } from "./switches.ts";
import type { ToolPots } from "../tools/tool-pot.ts";
import type { ToolListings } from "../tools/tool-listings.ts";
import type { CallLog } from "../tools/call-log.ts";

/** What every stage of one run shares. */
export interface RunScope {
  readonly id: string;
  readonly linked: LinkedProgram;
  readonly bus: RunBus;
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
  /** The calls of tools by the branch that made them. */
  readonly callLogs: Map<string, CallLog>;
  /** Resolves when every sink that may hold a run back has room; undefined where all have. */
  readonly room: () => Promise<void> | undefined;
  /** Every clock of the run, its stages and agents that stands still while people are asked. */
  readonly clocks: Set<Pick<RunClock, "waiting">>;
  readonly dryRun: boolean;
  readonly switches: Switches;
  /** What people do to the run. */
  readonly live: LiveInput;
  /** The calls of tools in the log that the run replays. */
  readonly recordedCalls: RecordedCalls | undefined;
  /** What the limits of tools still hold. */
  readonly pots: ToolPots;
  /** What sets of tools have listed; agents inside the run share it. */
  readonly listings: ToolListings;
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
  /** Why the tools of the stage are off: further calls are answered without execution. */
  toolsOff: LimitError | undefined;
  /** Who is asked for another plan; a branch has a seat of its own, since it can't change the plan of the others. */
  readonly planner: PlannerSeat;
  /** Why an answer was given before its work was done, in the words of its stage and told with its name, and the revision of that answer. */
  cutShort: { readonly text: string; readonly why: string; readonly revision: number } | undefined;
  /** True when the stage has left a value of its own, which its answer does not replace. */
  hasValue: boolean;
  /** True when the stage or branch has ended: verbs that it left behind start nothing. */
  isClosed: boolean;
}

/** Who makes another plan when one is asked for. */
export interface Replanner {
  /** The frame of the stage that made the plan: another one is made with its prompts and names, and charged to its limits. */
  readonly by: Frame;
  left: number;
  readonly replan: (context: AnyContext, request: ReplanRequest) => Promise<Plan>;
}

/** The verbs of any strategy. */
export type AnyContext = StrategyContext<Readonly<Record<string, SlotDeclaration>>>;

/** The planner of a branch of a run: who made its plan. */
interface PlannerSeat {
  taken: Replanner | undefined;
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
    planner: options.branch === undefined ? parent.planner : { taken: undefined },
    // A branch belongs to its stage; a stage below it has tools of its own.
    toolsOff: options.stage === undefined ? parent.toolsOff : undefined,
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
  | "toolsOff"
  | "cutShort"
  | "planner"
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
    toolsOff: undefined,
    cutShort: undefined,
    planner: { taken: undefined },
    hasValue: false,
    isClosed: false,
  };
}

/** A scope below the frame's open step, or below the frame. */
export function childScope(parent: Frame, key: string, stage: string = parent.scope.stage): Scope {
  const outer = parent.step?.scope ?? parent.scope;
  return { spanId: key, parentId: outer.spanId, key, stage };
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

/** Thrown by a `stop` stage: ends the run with what there is. */
export class StopSignal extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = "StopSignal";
    this.reason = reason;
  }
}
