import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../errors/error-codes.ts";
import type { Json } from "./json.ts";
import type { AssistantMessage, FinishReason, Message, ToolCall } from "./message.ts";
import type { OptionsProblem } from "./options-problem.ts";
import type { Sampling, ToolDescription } from "./provider.ts";
import type { CheckReference } from "./schema.ts";
import type {
  AnswerDraft,
  Issue,
  Lesson,
  Observation,
  RunState,
  StateChange,
  StateField,
} from "./state.ts";
import type { Inject, Services } from "./token.ts";

/** What a stage reads and writes: `needs` must exist, `uses` is read if there, `sets` is always written, `maySet` sometimes. */
export interface Flow {
  readonly needs?: readonly StateField[];
  readonly uses?: readonly StateField[];
  readonly sets?: readonly StateField[];
  readonly maySet?: readonly StateField[];
}

/** The least and the most of something. */
export type Range = readonly [min: number, max: number];

/** How much a stage may cost: model generations (before repairs and fallbacks) and tool calls. */
export interface Bounds {
  readonly generations: Range;
  readonly toolCalls: Range;
  /** True for a slot that the spec leaves out; it costs nothing. */
  readonly isAbsent?: boolean;
}

/** How a child slot is used. */
export interface SlotDeclaration {
  readonly description: string;
  readonly optional: boolean;
  /** Whether the stage always runs the slot. */
  readonly runs: "always" | "maybe";
  /** What the stage has written before it runs the slot. */
  readonly provides: readonly StateField[];
  /** True when the slot runs in several concurrent branches. */
  readonly sampled: boolean;
}

/** Declares a child slot: a stage or a sequence. */
export function one(
  declaration: Partial<SlotDeclaration> & { readonly description: string },
): SlotDeclaration {
  return { optional: false, runs: "always", provides: [], sampled: false, ...declaration };
}

/** The slots a strategy declares, by name. */
export type Slots = Readonly<Record<string, SlotDeclaration>>;

/** What to ask a model. */
export interface GenerateRequest {
  /** Which of the strategy's voices speaks; a spec may give each its own model and prompt. */
  readonly voice?: string;
  /** Joins the system text after the spec's instructions. */
  readonly system?: string;
  /** The last user message; a stage's `prompt` replaces it. */
  readonly prompt?: string;
  /** The conversation so far, without the system message; `prompt` comes after it. */
  readonly messages?: readonly Message[];
  /** Whether the stage's tools are offered; off by default. */
  readonly tools?: boolean;
  /** True when the reply, unless it calls tools, is the answer: it must fit the spec's output. */
  readonly answer?: boolean;
  /** With `answer`: the model reasons before it answers, `first` inside the same reply. */
  readonly reasoning?: "none" | "first";
  readonly sampling?: Sampling;
}

/** What a model said. */
export interface Reply {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  readonly message: AssistantMessage;
  readonly finishReason: FinishReason;
  /** The prompt as sent, for strategies that keep a thread. */
  readonly sent: readonly Message[];
  /** With `answer: true` and no tool calls: the answer, validated. */
  readonly answer?: AnswerDraft;
}

/** A result that may have failed without ending anything; `code` is an error code where one is known. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly code?: ErrorCode };

/** How a slot or a branch ended; `state` holds what it knew, also when it failed. */
export interface SlotResult {
  readonly key: string;
  readonly ok: boolean;
  readonly reason: string;
  readonly state: RunState;
}

/** One branch of a fan-out: a slot, or a function on a context of its own. */
export interface Branch<S extends Slots> {
  readonly key: string;
  readonly slot?: keyof S & string;
  readonly run?: (context: StrategyContext<S>) => Promise<StateChange | void>;
  readonly from?: StateChange;
}

/** Parts of the state as text for a prompt. */
export type BriefField =
  | "task"
  | "plan"
  | "answer"
  | "evidence"
  | "issues"
  | "lessons"
  | "trajectory";

/** What checks found together. */
export interface ChecksResult {
  readonly issues: readonly Issue[];
  readonly supportedEvidence: readonly string[];
  readonly unchecked: readonly string[];
}

/**
 * The verbs of a strategy. Retries, events, limits, journaling and redaction happen behind them.
 *
 * Contract: one verb at a time (concurrency goes through `fanOut`); between verbs a strategy is a pure function; what a
 * verb throws is not caught, so that limits and aborts reach core.
 */
export interface StrategyContext<S extends Slots = Record<never, SlotDeclaration>> {
  readonly state: RunState;
  readonly signal: AbortSignal;
  /** The tools that the stage may call, as the model sees them. */
  readonly tools: readonly ToolDescription[];
  /** True when the child slot is given in the spec. */
  hasSlot(slot: keyof S & string): boolean;
  /** True when the voice has a model; false where the spec says `model: none`. */
  hasModel(voice?: string): boolean;
  /** Keeps partial work. */
  save(change: StateChange): void;
  /** Opens the next turn of the strategy's loop, closing the one before. */
  step(index: number, max: number): void;
  generate<T extends TSchema>(
    request: GenerateRequest & { readonly schema: T },
  ): Promise<Reply & { readonly value: Static<T> }>;
  generate(request: GenerateRequest): Promise<Reply>;
  tryGenerate<T extends TSchema>(
    request: GenerateRequest & { readonly schema: T },
  ): Promise<Result<Reply & { readonly value: Static<T> }>>;
  tryGenerate(request: GenerateRequest): Promise<Result<Reply>>;
  /** Executes calls; one observation each, in their order. */
  callTools(calls: readonly ToolCall[]): Promise<readonly Observation[]>;
  runSlot(slot: keyof S & string, change?: { readonly with?: StateChange }): Promise<void>;
  tryRunSlot(slot: keyof S & string): Promise<SlotResult>;
  fanOut(
    branches: readonly Branch<S>[],
    settings?: {
      readonly maxParallel?: number;
      readonly stopWhen?: (finished: readonly SlotResult[]) => boolean;
    },
  ): Promise<readonly SlotResult[]>;
  /**
   * Merges branches into the state: lists in branch order, each result's once; single fields and the thread of `pick`
   * alone. Takes what `fanOut` and `tryRunSlot` of this stage returned, as it is, and nothing else.
   */
  adopt(results: readonly SlotResult[], pick?: SlotResult): void;
  brief(fields: readonly BriefField[]): string;
  runChecks(checks: readonly CheckReference[]): Promise<ChecksResult>;
  recall(memory: string, max: number): Promise<readonly Lesson[]>;
  remember(
    memory: string,
    lesson: Pick<Lesson, "trigger" | "failurePattern" | "lesson" | "avoid">,
  ): Promise<boolean>;
  askPerson(question: {
    readonly question: string;
    readonly options?: readonly string[];
    readonly timeoutMs?: number;
  }): Promise<{ readonly answered: boolean; readonly reply: string }>;
  /** Ends the run as a person would: outcome `done` with what there is. */
  stop(reason: string): never;
  evaluate(expression: string): Json;
  /** True when a soft limit is reached: wrap up. */
  conclude(): boolean;
  fact(name: string, data: Json): void;
}

/** The bounds of a stage's children, by slot; a slot that the spec leaves out costs nothing. */
export type ChildBounds<S extends Slots> = { readonly [K in keyof S]: Bounds };

/** What a strategy may look at when its options are checked together. */
export interface StageFacts {
  /** The child slots that the spec gives. */
  readonly slots: readonly string[];
  /** True where the spec says `model: none`. */
  readonly noModel: boolean;
}

/** A strategy plugin. */
export interface StrategyDefinition {
  readonly kind: "strategy";
  readonly id: string;
  readonly description: string;
  readonly options: TObject;
  readonly slots: Slots;
  readonly voices: readonly string[];
  readonly flow: (options: never) => Flow;
  readonly bounds: (options: never, children: never) => Bounds;
  /** Finds options that contradict each other; each problem is an error of the spec. */
  readonly validate?: (options: never, facts: StageFacts) => readonly OptionsProblem[];
  readonly inject: Inject<"pure">;
  readonly run: (
    state: RunState,
    context: never,
    options: never,
    services: never,
  ) => Promise<StateChange | void>;
}

/**
 * Declares a strategy.
 *
 * Contract: `run` reads the state it is given or `context.state`, returns or saves changes, bounds every loop by its
 * options, and holds no try/catch, logging, event or retry code. `bounds` is exact or a ceiling.
 */
export function defineStrategy<
  O extends TObject,
  const S extends Slots = Record<never, SlotDeclaration>,
  const I extends Inject<"pure"> = Record<never, never>,
>(definition: {
  readonly id: string;
  readonly description: string;
  readonly options: O;
  readonly slots?: S;
  readonly voices?: readonly string[];
  readonly flow: Flow | ((options: Static<O>) => Flow);
  readonly bounds: (options: Static<O>, children: ChildBounds<S>) => Bounds;
  readonly validate?: (options: Static<O>, facts: StageFacts) => readonly OptionsProblem[];
  readonly inject?: I;
  readonly run: (
    state: RunState,
    context: StrategyContext<S>,
    options: Static<O>,
    services: Services<I>,
  ) => Promise<StateChange | void>;
}): StrategyDefinition {
  const flow = definition.flow;
  return {
    kind: "strategy",
    slots: {},
    voices: [],
    inject: {},
    ...definition,
    // Left out by code without types, it stays out, and is reported when the definition is loaded.
    flow: typeof flow === "object" ? () => flow : flow,
  } as unknown as StrategyDefinition;
}

/** The bounds of a slot that the spec leaves out. */
export const ABSENT: Bounds = { generations: [0, 0], toolCalls: [0, 0], isAbsent: true };

/** No cost. */
export const NO_BOUNDS: Bounds = { generations: [0, 0], toolCalls: [0, 0] };

/** So many generations, and no tool calls. */
export function generations(min: number, max: number = min): Bounds {
  return { generations: [min, max], toolCalls: [0, 0] };
}

/** The cost of parts that run one after the other. */
export function sumBounds(...parts: readonly Bounds[]): Bounds {
  return parts.reduce(
    (sum, part) => ({
      generations: [
        sum.generations[0] + part.generations[0],
        sum.generations[1] + part.generations[1],
      ],
      toolCalls: [sum.toolCalls[0] + part.toolCalls[0], sum.toolCalls[1] + part.toolCalls[1]],
    }),
    NO_BOUNDS,
  );
}

/** The cost of a part that runs `min` to `max` times. */
export function timesBounds(part: Bounds, min: number, max: number = min): Bounds {
  return {
    generations: [part.generations[0] * min, part.generations[1] * max],
    toolCalls: [part.toolCalls[0] * min, part.toolCalls[1] * max],
  };
}
