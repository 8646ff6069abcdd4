import type { Plan } from "../contracts/state.ts";
import type { SlotDeclaration } from "../contracts/slots.ts";
import type { ReplanRequest, StrategyContext } from "../contracts/strategy-context.ts";
import type { CompiledStage } from "../program/program.ts";

/** The verbs of any strategy. */
export type AnyContext = StrategyContext<Readonly<Record<string, SlotDeclaration>>>;

/** Who makes another plan when one is asked for. */
export interface Replanner {
  readonly stage: CompiledStage;
  left: number;
  readonly replan: (context: AnyContext, request: ReplanRequest) => Promise<Plan>;
}

/** The planner of a branch of a run: who made its plan. */
export interface PlannerSeat {
  taken: Replanner | undefined;
}
