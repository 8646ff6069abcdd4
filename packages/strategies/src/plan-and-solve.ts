import {
  type AnswerDraft,
  defineStrategy,
  generations,
  one,
  type Slots,
  type StrategyContext,
  type StrategyDefinition,
  sumBounds,
  Type,
} from "@loopwright/core/plugin";
import { reasonedAnswerOf } from "./shared/answer-of.ts";
import { makePlan, maxPlanSteps, PLAN_BOUNDS } from "./shared/make-plan.ts";

const options = Type.Object({ maxPlanSteps });

/**
 * Plans first, then carries the whole plan out once; choose it for tasks of several steps that are clear from the start
 * (Wang et al. 2023, arXiv:2305.04091).
 *
 * Deviations: the paper plans and solves in one text and extracts the answer in a second call; here the plan is data of
 * its own call, and the work is one solving call or the stage in `do`.
 */
export const planAndSolve: StrategyDefinition = defineStrategy({
  id: "plan-and-solve",
  description: "Writes a plan, then carries all of it out: with `do`, or in one solving call.",
  options,
  slots: {
    do: one({
      description: "Carries out the whole plan; one solving call where it is left out.",
      optional: true,
      provides: ["plan"],
    }),
  },
  voices: ["plan", "solve"],
  flow: ({ maxPlanSteps: max }) => ({
    uses: ["plan", "observations", "verdict", "lessons"],
    sets: ["plan", "answer"],
    maxItems: { "plan.steps": max },
  }),
  bounds: (_options, children) =>
    sumBounds(PLAN_BOUNDS, children.do.isAbsent === true ? generations(1) : children.do),
  async run(_state, context, { maxPlanSteps: max }) {
    context.save({ plan: await makePlan(context, max, "plan") });
    if (!context.hasSlot("do")) return { answer: await solve(context) };
    await context.runSlot("do");
    return {};
  },
});

async function solve<S extends Slots>(context: StrategyContext<S>): Promise<AnswerDraft> {
  const known = context.brief(["task", "plan", "evidence", "lessons"]);
  const reply = await context.generate({
    voice: "solve",
    prompt: `${known}\n\n${CARRY_OUT}`,
    answer: true,
    reasoning: "first",
  });
  return reasonedAnswerOf(reply);
}

const CARRY_OUT = `Let's carry out the plan and solve the problem step by step.
Work through every step in order and check each calculation. Write the answer after that; unless another format is asked for, put the whole answer on the last line.`;
