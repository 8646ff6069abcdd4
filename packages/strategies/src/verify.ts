import {
  type ChecksResult,
  checks,
  defineStrategy,
  one,
  type RunState,
  type Slots,
  type StrategyContext,
  type StrategyDefinition,
  Type,
  type VerdictDraft,
} from "@loopwright/core/plugin";
import { oneOf } from "./shared/one-of.ts";
import { judge } from "./verify/judge.ts";
import { METHODS, problemsOf, verifyBounds, voicesOf } from "./verify/methods.ts";

const upTo = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ description, minimum: 1, maximum }));

const options = Type.Object({
  checks: checks({ description: "Checks that need no model; they speak first.", default: [] }),
  method: oneOf(METHODS, {
    description:
      "How a model verifies what no check decides: a judge, or questions about the answer, answered in one call with them, in a call of their own, each alone, or each alone and then compared.",
    default: "judge",
  }),
  maxQuestions: upTo(
    20,
    "The most questions that a `cove` method asks about one answer; 5 unless told.",
  ),
  maxRounds: upTo(
    10,
    "How often the answer may be revised and verified again; 1 where `revise` is given.",
  ),
});

/**
 * Verifies the answer with checks, then with a model that sees only the answer and its evidence, and may have it
 * revised; choose it after every stage whose answer matters. A round of checks that finds an issue spends no judge.
 *
 * The last word is always a verification: a revision that changed nothing ends the rounds, as `pass` and `fail` do.
 * What the checks leave undecided where no judge speaks gets no verdict: nobody looked at it.
 * Not the method of one paper; that a model's correction needs a signal from outside the model follows Huang et al.
 * 2023 (arXiv:2310.01798).
 */
export const verify: StrategyDefinition = defineStrategy({
  id: "verify",
  description:
    "Verifies the answer with checks and a judge, and may have it revised and verified again.",
  options,
  slots: {
    revise: one({
      description: "Mends the answer; runs on the verdict `revise` only.",
      optional: true,
      runs: "maybe",
      provides: ["verdict"],
    }),
    answer: one({
      description: "Answers one question of a `cove` method; one call where it is left out.",
      optional: true,
      runs: "maybe",
      order: "beside",
      concurrent: true,
    }),
  },
  voices: ["judge", "ask", "answer"],
  promptNames: { judge: ["unchecked"] },
  voicesUsed: ({ method }) => voicesOf(method),
  flow: { needs: ["answer"], uses: ["plan", "observations"], sets: ["verdict"] },
  bounds: verifyBounds,
  validate: problemsOf,
  async run(_state, context, { checks: list, maxRounds = 1 }) {
    const rounds = context.hasSlot("revise") ? maxRounds : 0;
    const first = context.state.answer.revision;
    let verdict = await examine(context, await context.runChecks(list));
    if (verdict !== undefined) context.save({ verdict: { ...verdict, revised: false } });
    for (let round = 1; round <= rounds && verdict?.outcome === "revise"; round += 1) {
      const before = context.state;
      await context.runSlot("revise");
      if (isUnchanged(before, context.state)) break;
      const revised = context.state.answer.revision > first;
      verdict = await examine(context, await context.runChecks(list));
      if (verdict !== undefined) context.save({ verdict: { ...verdict, revised } });
    }
  },
});

/** The verdict on the answer as it stands: the checks' own where they found an issue, else the judge's; none where something is left that nobody looks at. */
async function examine<S extends Slots>(
  context: StrategyContext<S>,
  found: ChecksResult,
): Promise<VerdictDraft | undefined> {
  const { issues, supportedEvidence, unchecked } = found;
  if (issues.length > 0) return { outcome: "revise", issues, supportedEvidence };
  if (context.hasModel("judge")) return judge(context, found);
  if (unchecked.length === 0) return { outcome: "pass", issues, supportedEvidence };
  context.fact("answer.unchecked", { unchecked: [...unchecked] });
  return undefined;
}

function isUnchanged(before: RunState, after: RunState): boolean {
  return (
    after.answer.revision === before.answer.revision &&
    after.observations.length === before.observations.length
  );
}
