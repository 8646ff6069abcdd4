import {
  defineStrategy,
  generations,
  one,
  type OptionsProblem,
  type StrategyDefinition,
  sumBounds,
  Type,
} from "@loopwright/core/plugin";
import { solve, solveAtOnce } from "./plan-and-solve/solve.ts";
import { makePlan, offerPlans, planBounds, planOptions } from "./shared/make-plan.ts";
import { oneOf } from "./shared/one-of.ts";
import { planPromptNames } from "./shared/plan-prompt.ts";

const options = Type.Object({
  style: oneOf(["structured", "ps", "ps-plus"], {
    description:
      "How the plan is written: as data in a call of its own, or in one text with the solution, after the PS or the PS+ prompt of the paper.",
    default: "structured",
  }),
  ...planOptions,
});

/**
 * Plans first, then carries the whole plan out once; choose it for tasks of several steps that are clear from the start
 * (Wang et al. 2023, arXiv:2305.04091).
 *
 * Deviations: the paper plans and solves in one text and extracts the answer in a second call. `structured` makes the plan
 * data of its own call, and the work is one solving call or the stage in `do`. `ps` and `ps-plus` are the paper's prompts,
 * word for word; the answer is read from the last line of the text or from the declared output, without the second call.
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
  voices: ["plan", "replan", "solve"],
  voicesUsed: ({ style, maxReplans }, slots) => [
    ...(style === "structured" ? ["plan"] : []),
    ...(style === "structured" && maxReplans > 0 ? ["replan"] : []),
    ...(slots.includes("do") ? [] : ["solve"]),
  ],
  promptNames: planPromptNames,
  flow: ({ style, maxPlanSteps: max }, slots) =>
    style === "structured"
      ? {
          uses: ["plan", "observations", "verdict", "lessons"],
          sets: slots.includes("do") ? ["plan"] : ["plan", "answer"],
          maxItems: { "plan.steps": max },
        }
      : { uses: ["observations", "lessons"], sets: ["answer"] },
  bounds: ({ style, maxReplans }, children) => {
    if (style !== "structured") return generations(1);
    const work = children.do.isAbsent === true ? generations(1) : children.do;
    return sumBounds(planBounds(maxReplans), work);
  },
  validate: ({ style, maxPlanSteps, maxReplans }, { slots }) =>
    style === "structured" ? [] : problemsOf(style, slots, { maxPlanSteps, maxReplans }),
  async run(_state, context, { style, maxPlanSteps: max, maxReplans }) {
    if (style !== "structured") return { answer: await solveAtOnce(context, style) };
    offerPlans(context, max, maxReplans);
    context.save({ plan: (await makePlan(context, { max })).plan });
    if (!context.hasSlot("do")) return { answer: await solve(context) };
    await context.runSlot("do");
    return {};
  },
});

/** What the one-text forms have no use for: they make no plan that anybody could carry out or make again. */
function problemsOf(
  style: string,
  slots: readonly string[],
  given: { readonly maxPlanSteps: number; readonly maxReplans: number },
): readonly OptionsProblem[] {
  const ofNoUse = [
    ...(slots.includes("do") ? ["do"] : []),
    ...(["maxPlanSteps", "maxReplans"] as const).filter(
      (name) => given[name] !== planOptions[name]["default"],
    ),
  ];
  return ofNoUse.map((option) => ({
    option,
    message: `\`style: ${style}\` plans and solves in one text, so \`${option}\` has nothing to act on`,
    repair: `delete \`${option}\`, or write \`style: structured\``,
  }));
}
