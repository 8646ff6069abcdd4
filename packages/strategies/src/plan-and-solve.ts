import {
  type AnswerDraft,
  definePrompt,
  defineStrategy,
  generations,
  one,
  type OptionsProblem,
  type Prompt,
  type Slots,
  type StrategyContext,
  type StrategyDefinition,
  sumBounds,
  Type,
} from "@loopwright/core/plugin";
import { reasonedAnswerOf } from "./shared/answer-of.ts";
import { makePlan, planBounds, planOptions } from "./shared/make-plan.ts";
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
  voicesUsed: ({ style, maxReplans }) => {
    if (style !== "structured") return ["solve"];
    return maxReplans > 0 ? ["plan", "replan", "solve"] : ["plan", "solve"];
  },
  promptNames: planPromptNames,
  flow: ({ style, maxPlanSteps: max }) =>
    style === "structured"
      ? {
          uses: ["plan", "observations", "verdict", "lessons"],
          sets: ["plan", "answer"],
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
    if (style !== "structured") return { answer: await solveAtOnce(context, TRIGGERS[style]) };
    if (maxReplans > 0)
      context.offerReplan(
        maxReplans,
        async (own, request) => (await makePlan(own, { max, request })).plan,
      );
    context.save({ plan: (await makePlan(context, { max })).plan });
    if (!context.hasSlot("do")) return { answer: await solve(context) };
    await context.runSlot("do");
    return {};
  },
});

/** Carries out the plan that stands. */
async function solve<S extends Slots>(context: StrategyContext<S>): Promise<AnswerDraft> {
  const known = context.brief(["task", "plan", "evidence", "lessons"]);
  const prompt = `${known}\n\n${context.words(CARRY_OUT)}`;
  const reply = await context.generate({
    voice: "solve",
    prompt,
    answer: true,
    reasoning: "first",
  });
  return reasonedAnswerOf(reply);
}

/** Plans and solves in one text: the trigger of the paper, then where the answer goes. */
async function solveAtOnce<S extends Slots>(
  context: StrategyContext<S>,
  trigger: Prompt,
): Promise<AnswerDraft> {
  const known = context.brief(["task", "evidence", "lessons"]);
  const prompt = `${known}\n\n${context.words(trigger)}\n\n${context.words(LAST_LINE)}`;
  const reply = await context.generate({
    voice: "solve",
    prompt,
    answer: true,
    reasoning: "first",
  });
  return reasonedAnswerOf(reply);
}

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

const CARRY_OUT = definePrompt({
  en: `Let's carry out the plan and solve the problem step by step.
Work through every step in order and check each calculation. Write the answer after that; unless another format is asked for, put the whole answer on the last line.`,
  zh: `让我们按计划一步一步解决问题。
按顺序完成每个步骤，并检查每一处计算。之后写出答案；除非要求了其他格式，把完整答案放在最后一行。`,
});

/** The trigger sentences of the paper; PS+ as its repository has it for GSM8K and AQuA, with its two blanks. */
const TRIGGERS = {
  ps: definePrompt({
    en: "Let's first understand the problem and devise a plan to solve the problem. Then, let's carry out the plan to solve the problem step by step.",
    zh: "让我们先理解问题，并制定解决问题的计划。然后，让我们执行计划，一步一步解决问题。",
  }),
  "ps-plus": definePrompt({
    en: "Let's first understand the problem, extract relevant variables and  their corresponding numerals, and make a complete plan. Then, let's carry out the plan, calculate intermediate variables (pay attention to correct numerical calculation and commonsense), solve the problem step by step, and show the answer.",
    zh: "让我们先理解问题，提取相关变量及其对应的数值，并制定完整的计划。然后，让我们执行计划，计算中间变量（注意数值计算正确和常识），一步一步解决问题，并给出答案。",
  }),
} as const;

const LAST_LINE = definePrompt({
  en: "Unless another format is asked for, put the whole answer on the last line.",
  zh: "除非要求了其他格式，把完整答案放在最后一行。",
});
