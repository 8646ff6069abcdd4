import {
  definePrompt,
  defineStrategy,
  generations,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";
import { answerOf } from "./shared/answer-of.ts";

const options = Type.Object({});

/** Answers in one call; choose it when the task needs no reasoning in writing: extraction, grading, short replies (standard prompting). */
export const direct: StrategyDefinition = defineStrategy({
  id: "direct",
  description: "Answers in one call, without reasoning in writing.",
  options,
  flow: { uses: ["plan", "observations", "lessons"], sets: ["answer"] },
  bounds: () => generations(1),
  async run(_state, context) {
    const known = context.brief(["task", "plan", "evidence", "lessons"]);
    const reply = await context.generate({
      prompt: `${known}\n\n${context.words(ANSWER)}`,
      answer: true,
    });
    return { answer: answerOf(reply) };
  },
});

const ANSWER = definePrompt({
  en: "Do the task. Give the answer itself, without an introduction.",
  zh: "完成任务。直接给出答案本身，不要写引言。",
});
