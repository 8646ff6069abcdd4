import {
  type AnswerDraft,
  definePrompt,
  type Slots,
  type StrategyContext,
} from "@loopwright/core/plugin";
import { reasonedAnswerOf } from "../shared/answer-of.ts";

/** Carries out the plan that stands, in one call; nobody looks at the conditions of its steps, so they stay open. */
export async function solve<S extends Slots>(context: StrategyContext<S>): Promise<AnswerDraft> {
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
export async function solveAtOnce<S extends Slots>(
  context: StrategyContext<S>,
  style: "ps" | "ps-plus",
): Promise<AnswerDraft> {
  const known = context.brief(["task", "evidence", "lessons"]);
  const prompt = `${known}\n\n${context.words(TRIGGERS[style])}\n\n${context.words(LAST_LINE)}`;
  const reply = await context.generate({
    voice: "solve",
    prompt,
    answer: true,
    reasoning: "first",
  });
  return reasonedAnswerOf(reply);
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
