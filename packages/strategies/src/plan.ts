import { defineStrategy, type StrategyDefinition, Type } from "@loopwright/core/plugin";
import { makePlan, maxPlanSteps, PLAN_BOUNDS } from "./shared/make-plan.ts";

const options = Type.Object({ maxPlanSteps });

/** Writes a plan of checkable steps and neither acts nor answers; choose it before an acting stage, or to make conflicts visible to a person (after the planning half of Wang et al. 2023, arXiv:2305.04091). */
export const plan: StrategyDefinition = defineStrategy({
  id: "plan",
  description: "Writes a plan of checkable steps, without acting on it.",
  options,
  flow: ({ maxPlanSteps: max }) => ({
    uses: ["plan", "observations", "verdict", "lessons"],
    sets: ["plan"],
    maxItems: { "plan.steps": max },
  }),
  bounds: () => PLAN_BOUNDS,
  async run(_state, context, { maxPlanSteps: max }) {
    return { plan: await makePlan(context, max) };
  },
});
