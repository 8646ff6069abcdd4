import {
  definePrompt,
  defineStrategy,
  generations,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";
import { reasonedAnswerOf } from "./shared/answer-of.ts";

const options = Type.Object({});

/**
 * Reasons in writing and then answers, in one call; choose it for arithmetic, logic and other tasks of several steps
 * (Kojima et al. 2022, arXiv:2205.11916).
 *
 * Deviation: the paper asks a second time to extract the answer; here the answer stands on the last line of the same
 * reply, or in the output's fields after the reasoning.
 */
export const chainOfThought: StrategyDefinition = defineStrategy({
  id: "chain-of-thought",
  description: "Reasons step by step in writing, then answers, in one call.",
  options,
  flow: { uses: ["plan", "observations", "lessons"], sets: ["answer"] },
  bounds: () => generations(1),
  async run(_state, context) {
    const known = context.brief(["task", "plan", "evidence", "lessons"]);
    const reply = await context.generate({
      prompt: `${known}\n\n${context.words(STEP_BY_STEP)}`,
      answer: true,
      reasoning: "first",
    });
    return { answer: reasonedAnswerOf(reply) };
  },
});

/** Its first sentence is the trigger of the paper. */
const STEP_BY_STEP = definePrompt({
  en: `Let's think step by step.
Write the reasoning first and the answer after it. Unless another format is asked for, put the whole answer on the last line.`,
  zh: `让我们一步一步地思考。
先写推理过程，再写答案。除非要求了其他格式，否则把完整的答案放在最后一行。`,
});
