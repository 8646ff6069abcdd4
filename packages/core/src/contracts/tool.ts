import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { JsonSchema } from "./json.ts";
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
  /** Finds options that do not fit each other or can't be used; each problem is an error of the spec. */
  readonly validate?: (options: never) => readonly OptionsProblem[];
  readonly inject: Inject;
  readonly create: (options: never, services: never) => ToolFunction<never, unknown>;
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
  readonly validate?: (options: Static<O>) => readonly OptionsProblem[];
  readonly inject?: I;
  readonly create: (
    options: Static<O>,
    services: Services<I>,
  ) => ToolFunction<Static<In>, Static<Out>>;
}): ToolDefinition {
  return { kind: "tool", inject: {}, ...definition } as unknown as ToolDefinition;
}
