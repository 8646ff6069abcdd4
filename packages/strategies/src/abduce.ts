import { defineStrategy, type StrategyDefinition, Type } from "@loopwright/core/plugin";
import { conclude } from "./abduce/conclude.ts";
import { isSettled, noneOfThese, ranked } from "./abduce/hypotheses.ts";
import { type Inquiry, keepReport, takeIn } from "./abduce/inquiry.ts";
import { makeCheck } from "./abduce/make-check.ts";
import { propose } from "./abduce/propose.ts";
import { weigh } from "./abduce/weigh.ts";

const options = Type.Object({
  maxHypotheses: Type.Integer({
    description: "The most hypotheses that are under test at one time.",
    default: 5,
    minimum: 2,
    maximum: 20,
  }),
  maxRounds: Type.Integer({
    description: "The most checks.",
    default: 4,
    minimum: 1,
    maximum: 20,
  }),
  margin: Type.Number({
    description: "How far ahead of the next a hypothesis must be to end the checks, from 0 to 1.",
    default: 0.3,
    minimum: 0,
    maximum: 1,
  }),
  keepNoneOfThese: Type.Boolean({
    description: "Keeps the possibility that every hypothesis is wrong.",
    default: true,
  }),
});

/**
 * Names rival explanations with what each predicts, makes the check that tells most of them apart, marks each by what was
 * seen, and goes on until one is ahead; choose it for a diagnosis with tools that only read (`tools: read`).
 *
 * No paper's own algorithm: the loop is ours, after iterative hypothesis refinement (Qiu et al. 2023, arXiv:2310.08559:
 * hypotheses are proposed by a model and tried by something else, failures are fed back) and hypothesis search (Wang et
 * al. 2023, arXiv:2309.05660). Its rules are kept by code and not by the model: nothing is refuted without an
 * observation of the tool's own, no check is made twice, "none of these" can't be refuted, ties stay ties, and where nothing is supported
 * the answer says that there is none. Only when every hypothesis is refuted are further ones taken.
 */
export const abduce: StrategyDefinition = defineStrategy({
  id: "abduce",
  description: "Names rival explanations and makes the checks that tell them apart.",
  options,
  voices: ["propose", "choose", "weigh", "conclude"],
  promptNames: {
    propose: ["max"],
    choose: ["hypotheses", "tools", "checks"],
    weigh: ["hypotheses", "check", "observation", "max"],
    conclude: ["hypotheses", "checks"],
  },
  flow: ({ maxHypotheses, maxRounds }) => ({
    uses: ["plan", "observations", "verdict", "lessons"],
    sets: ["answer", "candidates", "thread"],
    maySet: ["observations"],
    maxItems: { candidates: maxHypotheses * (1 + maxRounds) + 1 },
  }),
  bounds: ({ maxRounds }) => ({
    generations: [1, 2 + 2 * maxRounds],
    toolCalls: [0, maxRounds],
  }),
  async run(_state, context, { maxHypotheses: max, maxRounds, margin, keepNoneOfThese }) {
    const none = keepNoneOfThese ? [noneOfThese(context.language)] : [];
    const inquiry: Inquiry = { hypotheses: none, made: [], passedOver: [], cutShort: "" };
    if (!context.conclude()) takeIn(context, inquiry, await propose(context, max), max);
    keepReport(context, inquiry);
    for (let round = 1; round <= maxRounds; round += 1) {
      if (context.conclude()) inquiry.cutShort = "a limit was near before all checks were made";
      if (inquiry.cutShort !== "") break;
      context.step(round, maxRounds);
      const made = await makeCheck(context, inquiry);
      if (made === undefined) break;
      await weigh(context, inquiry, made, max);
      keepReport(context, inquiry);
      if (isSettled(ranked(inquiry.hypotheses), margin)) break;
    }
    return await conclude(context, inquiry);
  },
});
