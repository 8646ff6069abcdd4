import {
  definePrompt,
  defineStrategy,
  generations,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";
import { answerOf } from "./shared/answer-of.ts";

const options = Type.Object({});

/**
 * Rewrites the answer to settle the verdict's open issues, in one call; choose it as the remedy of a verification whose
 * issues need no further facts (the refining half of Self-Refine, Madaan et al. 2023, arXiv:2303.17651).
 *
 * Deviations: the feedback comes from a verdict, not from the same model, and the prompt holds the last draft alone,
 * without the history of drafts and feedback.
 */
export const refine: StrategyDefinition = defineStrategy({
  id: "refine",
  description: "Rewrites the answer to settle the verdict's open issues.",
  options,
  flow: { needs: ["answer", "verdict"], uses: ["plan", "observations"], maySet: ["answer"] },
  bounds: () => generations(0, 1),
  async run(state, context) {
    if (state.verdict.issues.length === 0) return {};
    const known = context.brief(["task", "plan", "answer", "evidence", "issues"]);
    const reply = await context.generate({
      prompt: `${known}\n\n${context.words(REWRITE)}`,
      answer: true,
    });
    const answer = answerOf(reply);
    const isCited = answer.evidence !== undefined && answer.evidence.length > 0;
    return { answer: isCited ? answer : { ...answer, evidence: state.answer.evidence } };
  },
});

const REWRITE = definePrompt({
  en: `Write the whole answer again so that every open issue is settled.
- Change what the issues need and keep the rest as it is.
- Use only facts from the task and the evidence. Take out a claim that nothing supports.
- Where an issue cannot be settled with what is known, say so in the answer.`,
  zh: `重写整个答案，解决每一个未解决的问题。
- 只改动这些问题所要求的部分，其余保持原样。
- 只使用任务和证据中的事实。删去没有任何依据的说法。
- 如果根据已知内容无法解决某个问题，就在答案中说明。`,
});
