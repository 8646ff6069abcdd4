import type { Static, TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../errors/error-codes.ts";
import type { Json, JsonObject, JsonSchema } from "./json.ts";
import type { AssistantMessage, FinishReason, Message, ToolCall } from "./message.ts";
import type { Language, Prompt, PromptValues } from "./prompt.ts";
import type { ConstraintLayer, Sampling, ToolDescription } from "./provider.ts";
import type { CheckReference } from "./schema.ts";
import type { SlotDeclaration, Slots } from "./slots.ts";
import type {
  AnswerDraft,
  Issue,
  Lesson,
  Observation,
  Plan,
  RunState,
  StateChange,
} from "./state.ts";
import type { Effect } from "./tool.ts";

/** What to ask a model. */
export interface GenerateRequest {
  /** Which of the strategy's voices speaks; a spec may give each its own model and prompt. */
  readonly voice?: string;
  /** Joins the system text after the spec's instructions. */
  readonly system?: string;
  /** The last user message; a stage's `prompt` replaces it. */
  readonly prompt?: string;
  /** What a stage's `prompt` sees beside the state, under the names that `promptNames` declares for the voice. */
  readonly bind?: JsonObject;
  /** The conversation so far, without the system message; `prompt` comes after it. */
  readonly messages?: readonly Message[];
  /**
   * Words for this call alone, said behind the last message: joined to a message of the user, behind what people have said
   * meanwhile, or to a result behind its fence, since after results some endpoints take no message of a user. They are no
   * part of `Reply.sent`.
   */
  readonly tail?: string;
  /** Whether the stage's tools are offered; off by default. */
  readonly tools?: boolean;
  /** Calls that the strategy answers itself, offered beside the tools; their names differ from those of `context.tools`. */
  readonly actions?: readonly ToolDescription[];
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
  /** Why its answer was given before its work was done (`result.cutShort` of the stage that gave it); absent where it was done. */
  readonly cutShort?: string;
  readonly state: RunState;
}

/** One branch of a fan-out: a slot, or a function on a context of its own. */
export interface Branch<S extends Slots> {
  readonly key: string;
  /** A slot, or a child of a slot that has several: `branches.left`, `try.0`. */
  readonly slot?: (keyof S & string) | `${keyof S & string}.${string}`;
  readonly run?: (context: StrategyContext<S>) => Promise<StateChange | void>;
  readonly from?: StateChange;
  /** Further names that expressions and templates inside the branch see. */
  readonly bind?: JsonObject;
  /** What the branch is told to do instead of the task of the run. */
  readonly task?: string;
  /** Which part of the task of the run the branch does, beside that task: see `Task.part`. */
  readonly part?: string;
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

/** A tool that a stage may call. */
export interface StageTool extends ToolDescription {
  /** Its name in the spec. */
  readonly tool: string;
  /** The id of the plugin behind it. */
  readonly use: string;
  readonly effect: Effect;
  /** True where its calls are thoughts: see `ToolDefinition.thought`. */
  readonly isThought: boolean;
  /** True where asking again for the same is honest waiting. */
  readonly polls: boolean;
}

/** What the model behind a voice can do. */
export interface ModelAbilities {
  /** Whether it calls tools natively. */
  readonly tools: boolean;
  /** The highest layer on which it takes a schema. */
  readonly structured: ConstraintLayer;
}

/** Why another plan is wanted. */
export interface ReplanRequest {
  readonly reason: string;
  /** The most steps that are still to be done; the planner's own maximum where left out. */
  readonly maxSteps?: number;
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
  readonly tools: readonly StageTool[];
  /** The language of the spec's prompts. */
  readonly language: Language;
  /** The words of a prompt in that language, its places filled. */
  words<P extends string>(prompt: Prompt<P>, ...values: PromptValues<P>): string;
  /** What the model behind a voice can do, as its endpoint says and the spec overrides. */
  abilities(voice?: string): ModelAbilities;
  /** True when the child slot is given in the spec. */
  hasSlot(slot: keyof S & string): boolean;
  /** The names of the children of a slot that has several, in the order of the spec: `left`, or `0`. */
  slotNames(slot: keyof S & string): readonly string[];
  /** Renders the template of a late option, with further names that it sees; a value that is one path keeps its type. */
  render(option: string, bind?: JsonObject): Json;
  /** Runs the agent whose spec an option of this stage names, as a part of this run; its answer is returned, not saved. */
  runAgent(inputs: JsonObject, task?: string): Promise<AnswerDraft>;
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
  /** How the spec wants the answer written, in words for a model; empty where any text will do. */
  answerForm(): string;
  /** The schema of the declared output; undefined where any text will do. */
  outputSchema(): JsonSchema | undefined;
  /** Reads an answer out of a text, as a reply with `answer: true` would be read: repaired, validated, judged by the output's checks. */
  fitAnswer(text: string): Promise<Result<AnswerDraft>>;
  /**
   * Lets stages that act on the plan ask for another one, at most `max` times; a later offer takes its place. `replan` gets
   * a context of its own with the models and prompts of this stage, and counts against its bounds and its limits, but for
   * those of time; a plan that is adopted from a branch brings its offer along, with the times that are left.
   */
  offerReplan(
    max: number,
    replan: (context: StrategyContext<S>, request: ReplanRequest) => Promise<Plan>,
  ): void;
  /** Asks whoever made the plan for another one, which then is the plan; a reason where none comes: nobody offers, no times are left, the limits of who offers are used up, the stage is in a branch of its own. */
  replan(request: ReplanRequest): Promise<Result<Plan>>;
  /** Executes calls; one observation each, in their order. */
  callTools(calls: readonly ToolCall[]): Promise<readonly Observation[]>;
  /**
   * Which calls of tools of these names may be made, in this order, before a limit on tool calls is near; none is made.
   *
   * Use it before a fan-out, so that what its branches may do does not depend on which of them comes first.
   */
  callsThatFit(names: readonly string[]): readonly boolean[];
  runSlot(
    slot: (keyof S & string) | `${keyof S & string}.${string}`,
    change?: { readonly with?: StateChange },
  ): Promise<void>;
  tryRunSlot(slot: (keyof S & string) | `${keyof S & string}.${string}`): Promise<SlotResult>;
  fanOut(
    branches: readonly Branch<S>[],
    settings?: {
      readonly maxParallel?: number;
      readonly stopWhen?: (finished: readonly SlotResult[]) => boolean;
    },
  ): Promise<readonly SlotResult[]>;
  /**
   * Merges branches into the state: lists in branch order, each result's once; what became of the steps of the plan, step
   * by step, where a branch made no plan of its own (of what branches say differently, failed holds over open over done);
   * single fields and the thread of `pick` alone. Takes what `fanOut` and `tryRunSlot` of this stage returned, as it is, and nothing else.
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
  /** Throws the limit on tool calls where it is used up: for a model that gives no answer once it can call nothing. */
  refuseCalls(): void;
  fact(name: string, data: Json): void;
}
