import {
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
    const reply = await context.generate({ prompt: `${known}\n\n${REWRITE}`, answer: true });
    const answer = answerOf(reply);
    const isCited = answer.evidence !== undefined && answer.evidence.length > 0;
    return { answer: isCited ? answer : { ...answer, evidence: state.answer.evidence } };
  },
});

const REWRITE = `Write the whole answer again so that every open issue is settled.
- Change what the issues need and keep the rest as it is.
- Use only facts from the task and the evidence. Take out a claim that nothing supports.
- Where an issue cannot be settled with what is known, say so in the answer.`;
