import type { JsonSchema } from "../contracts/json.ts";
import type { ParseLimits } from "./parse-limits.ts";
import type { StepBudget } from "./step-budget.ts";

/** What every step of one reading knows. */
export interface ParseTask {
  readonly schema: JsonSchema | undefined;
  readonly limits: ParseLimits;
  readonly budget: StepBudget;
}
