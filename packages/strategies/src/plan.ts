import {
  defineStrategy,
  duration,
  type Slots,
  type StrategyContext,
  type StrategyDefinition,
  sumBounds,
  timesBounds,
  Type,
} from "@loopwright/core/plugin";
import { conflictQuestion, decisionText, isAbout } from "./shared/conflict-words.ts";
import {
  makePlan,
  offerPlans,
  PLAN_BOUNDS,
  planBounds,
  planOptions,
  tryPlan,
} from "./shared/make-plan.ts";
import { oneOf } from "./shared/one-of.ts";
import { planPromptNames } from "./shared/plan-prompt.ts";
import type { PlannedConflict } from "./shared/planned-conflict.ts";

const options = Type.Object({
  ...planOptions,
  onConflict: oneOf(["report", "ask"], {
    description:
      "What happens to wishes that a person must choose between: they stay in `plan.conflicts`, or the person is asked and the plan made again.",
    default: "report",
  }),
  timeout: Type.Optional(
    duration({ description: "How long a question waits; the conflict stays open after that." }),
  ),
});

/**
 * Writes a plan of checkable steps and neither acts nor answers; choose it before an acting stage, or to make conflicts
 * visible to a person (after the planning half of Wang et al. 2023, arXiv:2305.04091).
 *
 * Wishes that cannot all be met are settled by a stated preference, by relaxing a soft wish or by a compromise, and told in
 * `plan.tradeoffs`; what is left is for a person, in `plan.conflicts`, with the price of each side. A hard constraint that
 * a draft leaves out is put back. A stage that acts on the plan may have it made again, `maxReplans` times.
 *
 * Deviations: the paper plans in free text; steps with conditions, conflicts and another plan after a failure are added.
 */
export const plan: StrategyDefinition = defineStrategy({
  id: "plan",
  description: "Writes a plan of checkable steps, without acting on it.",
  options,
  voices: ["plan", "replan"],
  voicesUsed: ({ maxReplans }) => (maxReplans > 0 ? ["plan", "replan"] : ["plan"]),
  promptNames: planPromptNames,
  flow: ({ maxPlanSteps: max }) => ({
    uses: ["plan", "observations", "verdict", "lessons"],
    sets: ["plan"],
    maxItems: { "plan.steps": max },
  }),
  bounds: ({ maxReplans, onConflict }) =>
    sumBounds(planBounds(maxReplans), timesBounds(PLAN_BOUNDS, 0, onConflict === "ask" ? 1 : 0)),
  validate: ({ onConflict, timeout }) =>
    timeout !== undefined && onConflict === "report" ? [UNUSED_TIMEOUT] : [],
  async run(_state, context, { maxPlanSteps: max, maxReplans, onConflict, timeout }) {
    offerPlans(context, max, maxReplans);
    const planned = await makePlan(context, { max });
    if (onConflict === "report" || planned.open.length === 0) return { plan: planned.plan };
    context.save({ plan: planned.plan });
    return await settleByPerson(context, planned.open, max, timeout);
  },
});

/** Asks about each open conflict and plans again with the replies; what nobody decides stays open. */
async function settleByPerson<S extends Slots>(
  context: StrategyContext<S>,
  open: readonly PlannedConflict[],
  max: number,
  timeoutMs: number | undefined,
) {
  const { language } = context;
  const decided: PlannedConflict[] = [];
  const decisions: string[] = [];
  for (const conflict of open.slice(0, maxQuestions)) {
    const { answered, reply } = await context.askPerson({
      question: conflictQuestion(conflict, language),
      ...(conflict.between.length < 2 ? {} : { options: conflict.between }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    if (!answered) continue;
    decided.push(conflict);
    decisions.push(decisionText(conflict, reply, language));
  }
  if (decisions.length === 0) return {};
  const again = await tryPlan(context, { max, decisions, decided });
  if (again.ok) return { plan: again.value.plan };
  // What the person said is not lost with a plan that did not come about.
  context.fact("plan.kept", { reason: again.reason });
  const { plan: saved } = context.state;
  const conflicts = saved.conflicts.filter(
    (text) => !decided.some((conflict) => isAbout(text, conflict, language)),
  );
  return { plan: { ...saved, conflicts, tradeoffs: [...decisions, ...(saved.tradeoffs ?? [])] } };
}

/** The most questions that a person is asked about one plan. */
const maxQuestions = 3;

const UNUSED_TIMEOUT = {
  option: "timeout",
  message: "`timeout` is how long a person is waited for, and `onConflict: report` asks nobody",
  repair: "write `onConflict: ask`, or delete `timeout`",
};
