import type { Static, TObject } from "@sinclair/typebox";
import type { Json, JsonSchema } from "./json.ts";
import type { Issue, Observation, RunState } from "./state.ts";
import type { Inject, Services } from "./token.ts";

/** What a check may use. */
export interface CheckContext {
  /** Evaluates an option declared with `expression()` over the state. */
  evaluate(expression: string): Json;
  /** The JSON Schema of the spec's output, where it declares one. */
  readonly outputSchema?: JsonSchema;
  /** Calls tools of the stage through the pipeline; policies and approval hold. */
  callTools(
    calls: readonly { readonly tool: string; readonly input: Json }[],
  ): Promise<readonly Observation[]>;
}

/** What a check found; `unchecked` lists what no rule could decide, and goes to the model that judges. */
export interface CheckResult {
  readonly issues: readonly Issue[];
  readonly supportedEvidence?: readonly string[];
  readonly unchecked?: readonly string[];
}

/** Tells of one constraint, as the spec says it, whether a check leaves it to the judge. */
type IsLeftToJudge = (constraint: { readonly text: string; readonly rule?: string }) => boolean;

/** A check plugin. */
export interface CheckDefinition {
  readonly kind: "check";
  readonly id: string;
  readonly description: string;
  readonly options: TObject;
  /** What must be in the program for the check to make sense: tools that can be called, or constraints. */
  readonly requires?: "tools" | "constraints";
  /** Whether a constraint goes to the judge whatever the answer says, so that a spec without a judge can be warned of. */
  readonly isLeftToJudge?: IsLeftToJudge;
  readonly inject: Inject<"pure">;
  readonly run: (
    state: RunState,
    context: CheckContext,
    options: never,
    services: never,
  ) => CheckResult | Promise<CheckResult>;
}

/**
 * Declares a check: a deterministic judge of an answer, without a model.
 *
 * Contract: no network, files, time or chance; a fault it throws counts as an issue that says so.
 */
export function defineCheck<
  O extends TObject,
  const I extends Inject<"pure"> = Record<never, never>,
>(definition: {
  readonly id: string;
  readonly description: string;
  readonly options: O;
  readonly requires?: "tools" | "constraints";
  readonly isLeftToJudge?: IsLeftToJudge;
  readonly inject?: I;
  readonly run: (
    state: RunState,
    context: CheckContext,
    options: Static<O>,
    services: Services<I>,
  ) => CheckResult | Promise<CheckResult>;
}): CheckDefinition {
  return { kind: "check", inject: {}, ...definition };
}
