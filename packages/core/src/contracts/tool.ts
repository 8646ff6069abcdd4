import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { JsonObject, JsonSchema } from "./json.ts";
import type { OptionsProblem } from "./options-problem.ts";
import type { Inject, Services } from "./token.ts";

/** What calling a tool does to the world: nothing, the same however often, or something each time. */
export type Effect = "read" | "idempotent" | "once";

/** What a tool knows about one call. */
export interface ToolContext {
  /** Aborts when the run ends or the call's timeout passes. */
  readonly signal: AbortSignal;
  readonly runId: string;
  readonly callId: string;
  /** The same for every attempt of one call. */
  readonly idempotencyKey: string;
  /** Asks a person; the call's timeout stands still meanwhile. Unanswered where nobody is there, or when the time is up. */
  readonly askPerson: (question: ToolQuestion) => Promise<ToolQuestionReply>;
}

/** A question of a tool to a person; with `options`, the reply is one of them. */
export interface ToolQuestion {
  readonly question: string;
  readonly options?: readonly string[];
  readonly timeoutMs?: number;
}

/** What a person replied; empty where nobody did. */
export interface ToolQuestionReply {
  readonly answered: boolean;
  readonly reply: string;
}

/**
 * Executes one call.
 *
 * Contract: `input` fits the input schema; the result is text or plain JSON that fits the output schema; a failure is
 * thrown, its message is shown to the model; it should stop when `signal` aborts, and is left alone when it does not.
 */
export type ToolFunction<Input, Output> = (
  input: Input,
  call: ToolContext,
) => Promise<Output> | Output;

/** What a tool proposes of its own policy; whatever a spec says stands above it. Times in milliseconds. */
export interface ToolDefaults {
  /** For one attempt. */
  readonly timeoutMs?: number;
  /** Attempts in all, and the first and the longest wait between them; a tool with the effect `once` has one attempt. */
  readonly retry?: {
    readonly attempts: number;
    readonly firstMs?: number;
    readonly maxMs?: number;
  };
  /** How long a result is kept; only with the effect `read`. */
  readonly cacheMs?: number;
  /** Characters of a result that the model reads. */
  readonly maxResult?: number;
  /** True where asking again for the same is honest waiting. */
  readonly polls?: boolean;
}

/** A tool plugin. */
export interface ToolDefinition {
  readonly kind: "tool";
  readonly id: string;
  /** The manual that the model reads: purpose, when, when not, what comes back. */
  readonly description: string;
  readonly options: TObject;
  readonly input: JsonSchema | ((options: never) => JsonSchema);
  readonly output?: JsonSchema;
  readonly effect: Effect;
  /**
   * True where a call is a thought of the model's own: what comes back is a clue, never evidence, and no loop is counted on
   * it. A text in its input called `changePlan` asks for another plan.
   */
  readonly thought?: boolean;
  readonly policy?: ToolDefaults;
  /**
   * Gives arguments the form that the tool works with, `{ city: "Shanghai, China" }` as `{ city: "Shanghai" }`.
   *
   * Contract: pure; gets arguments that fit the input schema and returns such; what it changes is told to the model; throws
   * where the arguments could mean two things.
   */
  readonly normalize?: (input: never) => unknown;
  /** Says a result in few words for the model; without it text stays text and data becomes short lines or compact JSON. */
  readonly format?: (output: never) => string;
  /** Finds options that do not fit each other or can't be used; each problem is an error of the spec. */
  readonly validate?: (options: never) => readonly OptionsProblem[];
  readonly inject: Inject;
  readonly create: (options: never, services: never) => ToolFunction<never, unknown>;
  /** Of a set of tools, whose `create` makes a `ToolSet`. */
  readonly set?: {
    /** The effect of every tool of the set, where the options tell it. */
    readonly effect?: (options: never) => Effect | undefined;
  };
}

/**
 * Declares a tool; `input` may be a function of the options, for tools whose arguments the spec declares.
 *
 * Contract: `create` is synchronous and runs once per program; entries with equal options share the instance, and shared
 * connections belong in a service. What `create` would refuse, `validate` tells first, so that a spec which passes its
 * check can be run.
 */
export function defineTool<
  O extends TObject,
  In extends TSchema,
  Out extends TSchema = TSchema,
  const I extends Inject = Record<never, never>,
>(definition: {
  readonly id: string;
  readonly description: string;
  readonly options: O;
  readonly input: In | ((options: Static<O>) => JsonSchema);
  readonly output?: Out;
  readonly effect: Effect;
  readonly thought?: boolean;
  readonly policy?: ToolDefaults;
  readonly normalize?: (input: Static<In>) => Static<In>;
  readonly format?: (output: Static<Out>) => string;
  readonly validate?: (options: Static<O>) => readonly OptionsProblem[];
  readonly inject?: I;
  readonly create: (
    options: Static<O>,
    services: Services<I>,
  ) => ToolFunction<Static<In>, Static<Out>>;
}): ToolDefinition {
  return { kind: "tool", inject: {}, ...definition } as unknown as ToolDefinition;
}

/** A tool that a set lists. */
export interface ListedTool {
  /** Unique in the set: letters, digits, `_`, `.`, `/`, `:` and `-`. */
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of an object; the draft that its `$schema` names. */
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  readonly effect: Effect;
  readonly run: ToolFunction<JsonObject, unknown>;
}

/** Several tools behind one entry of a spec; which ones is known when a run asks. */
export interface ToolSet {
  /**
   * Lists every tool that the options allow.
   *
   * Contract: asked once in a run, before the first stage that may call one, and once more where that fails; connects as
   * late as this; throws what went wrong and what to do; stops when `signal` aborts. An empty list is a failure too. What is
   * listed is not trusted: core drops tools whose name or schema can't be used, and tells it. `note` tells people what is
   * odd about the source and does no harm.
   */
  readonly list: (
    signal: AbortSignal,
    note: (message: string) => void,
  ) => Promise<readonly ListedTool[]>;
}

/**
 * Declares a set of tools: an entry of `tools:` that stands for all that its source lists at run time, each called
 * `entry/tool`; the policies of the entry hold for each of them by its effect.
 *
 * Contract: `create` is synchronous, opens nothing and runs once per program; entries with equal options share the instance,
 * and a connection that several entries share belongs in a service. `effect` tells what every tool of the set does, where
 * the options say so; it stands above what the source says of its tools.
 */
export function defineToolSet<
  O extends TObject,
  const I extends Inject = Record<never, never>,
>(definition: {
  readonly id: string;
  readonly description: string;
  readonly options: O;
  readonly effect?: (options: Static<O>) => Effect | undefined;
  readonly policy?: ToolDefaults;
  readonly validate?: (options: Static<O>) => readonly OptionsProblem[];
  readonly inject?: I;
  readonly create: (options: Static<O>, services: Services<I>) => ToolSet;
}): ToolDefinition {
  const { effect, ...rest } = definition;
  return {
    kind: "tool",
    inject: {},
    input: ANYTHING,
    effect: "once",
    set: effect === undefined ? {} : { effect },
    ...rest,
  } as unknown as ToolDefinition;
}

/** What a set takes is known of each of its tools only. */
const ANYTHING: JsonSchema = {};
