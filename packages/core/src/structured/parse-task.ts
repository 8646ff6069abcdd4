import type { Json, JsonSchema } from "../contracts/json.ts";
import type { Language } from "../contracts/prompt.ts";
import type { ParseLimits } from "./parse-limits.ts";
import type { StepBudget } from "./step-budget.ts";

/** What every step of one reading knows. */
export interface ParseTask {
  readonly schema: JsonSchema | undefined;
  /** Gives a value the form of the schema where it was asked for in another. */
  readonly undo?: ((value: Json) => Json) | undefined;
  readonly limits: ParseLimits;
  readonly budget: StepBudget;
  /** That of the words about a value which does not fit. */
  readonly language: Language;
}
