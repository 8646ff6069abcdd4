import {
  type Bounds,
  definePrompt,
  generations,
  type Plan,
  ProviderError,
  type Slots,
  type StrategyContext,
  sumBounds,
  timesBounds,
  type TSchema,
  Type,
} from "@loopwright/core/plugin";
import { conflictText, type PlannedConflict, settle } from "./conflicts.ts";
import { conversationOf, sayTo } from "./conversation.ts";
import { saysAll } from "./plain-words.ts";
import {
  faultsOf,
  PlanDraft,
  type PlanRoom,
  stepsOf,
  weaknessesOf,
  withoutDone,
} from "./plan-draft.ts";
import { type Planning, planPrompt } from "./plan-prompt.ts";

/** The options of every strategy that plans. */
export const planOptions: {
  readonly maxPlanSteps: TSchema & { readonly static: number };
  readonly maxReplans: TSchema & { readonly static: number };
} = {
  maxPlanSteps: Type.Integer({
    description: "The most steps that a plan may have.",
    default: 8,
    minimum: 1,
    maximum: 50,
  }),
  maxReplans: Type.Integer({
    description: "How often a later stage may have the plan made again: when a step failed.",
    default: 2,
    minimum: 0,
    maximum: 10,
  }),
};

/** What one plan costs: a draft, and one more where the first has faults. */
export const PLAN_BOUNDS: Bounds = generations(1, 2);

/** What a plan costs that may be made again so many times. */
export function planBounds(maxReplans: number): Bounds {
  return sumBounds(PLAN_BOUNDS, timesBounds(PLAN_BOUNDS, 0, maxReplans));
}

/** A plan, and the conflicts in it that a person must decide. */
export interface Planned {
  readonly plan: Plan;
  readonly open: readonly PlannedConflict[];
}

/**
 * Makes a plan in one call, or two when the first draft has no step, too many, or steps that don't fit together; a second
 * draft with such faults is an error.
 */
export async function makePlan<S extends Slots>(
  context: StrategyContext<S>,
  planning: Planning,
): Promise<Planned> {
  const { language } = context;
  const room = roomFor(context, planning);
  const voice = planning.request === undefined ? "plan" : "replan";
  const { prompt, bind } = planPrompt(context, { ...planning, max: room.max });
  const first = await context.generate({ voice, prompt, bind, schema: PlanDraft });
  const draft = withoutDone(first.value, room);
  const faults = [...faultsOf(draft, room, language), ...weaknessesOf(draft, prompt, language)];
  if (faults.length === 0) return plannedOf(context, draft, room);
  const asked = context.words(MEND, { faults: lines(faults), max: room.max });
  const messages = sayTo(conversationOf(first), asked);
  const second = await context.generate({ voice, messages, schema: PlanDraft });
  const mended = withoutDone(second.value, room);
  const left = faultsOf(mended, room, "en");
  if (left.length > 0) throw new ProviderError("strategy-failed", noPlan(left, room));
  return plannedOf(context, mended, room);
}

function roomFor<S extends Slots>(
  { state }: StrategyContext<S>,
  { max, request }: Planning,
): PlanRoom {
  if (request === undefined) return { max, done: [], undone: [] };
  const done = state.plan.steps.filter(({ status }) => status === "done");
  const undone = state.plan.steps.filter(({ status }) => status !== "done");
  const left = Math.min(max - done.length, request.maxSteps ?? max);
  if (left > 0) return { max: left, done, undone };
  throw new ProviderError(
    "strategy-failed",
    `no further step may be planned: ${done.length} steps are done, and \`maxPlanSteps\` is ${max}`,
  );
}

/** The plan of a draft; a hard constraint that the draft leaves out without a word is put back. */
function plannedOf<S extends Slots>(
  context: StrategyContext<S>,
  draft: PlanDraft,
  room: PlanRoom,
): Planned {
  const { task, plan: before } = context.state;
  const {
    open,
    tradeoffs: settled,
    relaxed,
  } = settle(draft.conflicts, task.constraints, context.language);
  const hard = task.constraints.map(({ text }) => text).filter((text) => !relaxed.includes(text));
  const kept = hard.filter((text) => !draft.constraints.some((said) => saysAll(said, text)));
  if (kept.length > 0) context.fact("constraints.kept", { constraints: kept });
  if (relaxed.length > 0) context.fact("constraints.relaxed", { constraints: relaxed });
  const earlier = room.done.length + room.undone.length > 0 ? (before.tradeoffs ?? []) : [];
  const tradeoffs = [...new Set([...earlier, ...settled])];
  const plan = {
    goal: draft.goal,
    constraints: [...kept, ...draft.constraints],
    conflicts: open.map((conflict) => conflictText(conflict, context.language)),
    ...(tradeoffs.length === 0 ? {} : { tradeoffs }),
    steps: stepsOf(draft, room),
  };
  return { plan, open };
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `- ${text}`).join("\n");
}

function noPlan(faults: readonly string[], { max }: PlanRoom): string {
  return `two drafts came to no plan of 1 to ${max} steps: ${faults.join(" ")} Raise \`maxPlanSteps\`, or make the task smaller`;
}

const MEND = definePrompt({
  en: `{{faults}}
Write the whole plan again, with at least one and at most {{max}} steps. Join steps that belong together; drop no constraint.`,
  zh: `{{faults}}
请重新写出完整计划，至少一个步骤，最多 {{max}} 个步骤。合并相关的步骤；不要丢掉任何约束。`,
});
