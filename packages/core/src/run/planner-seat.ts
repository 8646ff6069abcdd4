import type { Plan } from "../contracts/state.ts";
import type { SlotDeclaration } from "../contracts/slots.ts";
import type { ReplanRequest, StrategyContext } from "../contracts/strategy-context.ts";
import type { Frame } from "./run-scope.ts";

/** The verbs of any strategy. */
export type AnyContext = StrategyContext<Readonly<Record<string, SlotDeclaration>>>;

/** Who makes another plan when one is asked for. */
export interface Replanner {
  /** The frame of the stage that made the plan: another one is made with its prompts and names, and charged to its limits. */
  readonly by: Frame;
  left: number;
  readonly replan: (context: AnyContext, request: ReplanRequest) => Promise<Plan>;
}

/** The planner of a branch of a run: who made its plan. */
export interface PlannerSeat {
  taken: Replanner | undefined;
}
