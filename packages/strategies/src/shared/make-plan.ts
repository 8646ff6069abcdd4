import {
  type Bounds,
  definePrompt,
  generations,
  ProviderError,
  type Result,
  type Slots,
  type StrategyContext,
  sumBounds,
  timesBounds,
  type TSchema,
  Type,
} from "@loopwright/core/plugin";
import { conversationOf, sayTo } from "./conversation.ts";
import { fitted, objectivesOf, PlanDraft, type PlanRoom } from "./plan-draft.ts";
import { adviceFor, faultsOf, firstFaults, weaknessesOf } from "./plan-faults.ts";
import { type Planned, plannedOf } from "./planned.ts";
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

/** Lets later stages have the plan made again; one with the aims of a plan that failed before is no other plan. */
export function offerPlans<S extends Slots>(
  context: StrategyContext<S>,
  max: number,
  maxReplans: number,
): void {
  if (maxReplans === 0) return;
  const failed: string[] = [];
  context.offerReplan(maxReplans, async (own, request) => {
    const undone = own.state.plan.steps.filter(({ status }) => status !== "done");
    failed.push(objectivesOf(undone));
    return (await makePlan(own, { max, request, failed })).plan;
  });
}

/** Makes a plan as `tryPlan` does; where none comes of it, that is an error. */
export async function makePlan<S extends Slots>(
  context: StrategyContext<S>,
  planning: Planning,
): Promise<Planned> {
  const made = await tryPlan(context, planning);
  if (made.ok) return made.value;
  throw new ProviderError("strategy-failed", made.reason);
}

/**
 * Makes a plan in one call, or two when the first draft has no step, too many, steps that don't fit together, or says too
 * little; where the second one is no plan, the first one stands if it is one.
 */
export async function tryPlan<S extends Slots>(
  context: StrategyContext<S>,
  planning: Planning,
): Promise<Result<Planned>> {
  const { language } = context;
  const room = roomFor(context, planning);
  if (room.max < 1)
    return {
      ok: false,
      reason: context.words(NO_ROOM, { done: room.done.length, max: planning.max }),
    };
  const voice = planning.request === undefined ? "plan" : "replan";
  const { prompt, bind } = planPrompt(context, { ...planning, max: room.max }, room);
  const first = await context.generate({ voice, prompt, bind, schema: PlanDraft });
  const draft = fitted(first.value, room);
  const faults = faultsOf(draft, room, language);
  const all = firstFaults([...faults, ...weaknessesOf(draft, prompt, language)], language);
  const finish = (sound: PlanDraft) => plannedOf(context, { draft: sound, room, planning, prompt });
  if (all.length === 0) return { ok: true, value: finish(draft) };
  const asked = context.words(MEND, { faults: lines(all), max: room.max });
  const messages = sayTo(conversationOf(first), asked);
  const second = await context.generate({ voice, messages, schema: PlanDraft });
  const mended = fitted(second.value, room);
  const left = firstFaults(faultsOf(mended, room, language), language);
  if (left.length === 0) return { ok: true, value: finish(mended) };
  const reason = context.words(NO_PLAN, {
    faults: left.join(" "),
    max: room.max,
    advice: adviceFor(mended, room, language),
  });
  if (faults.length > 0) return { ok: false, reason };
  context.fact("plan.first-kept", { faults: left });
  return { ok: true, value: finish(draft) };
}

/** What stands already, and how much may come: a stage that does a part of the task plans that part, and nothing of it stands. */
function roomFor<S extends Slots>(
  { state }: StrategyContext<S>,
  { max, request, failed }: Planning,
): PlanRoom {
  const isPart = state.task.part !== undefined && request === undefined;
  const done = isPart ? [] : state.plan.steps.filter(({ status }) => status === "done");
  if (request === undefined) return { max, done };
  const left = Math.min(max - done.length, request.maxSteps ?? max);
  return { max: left, done, failed: failed ?? [] };
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `- ${text}`).join("\n");
}

const NO_ROOM = definePrompt({
  en: "no further step may be planned: {{done}} steps are done, and `maxPlanSteps` is {{max}}",
  zh: "不能再计划更多步骤：已完成 {{done}} 个步骤，`maxPlanSteps` 为 {{max}}",
});

const NO_PLAN = definePrompt({
  en: "two drafts came to no plan of 1 to {{max}} steps: {{faults}} {{advice}}",
  zh: "两次草稿都没有得到 1 到 {{max}} 个步骤的计划：{{faults}}{{advice}}",
});

const MEND = definePrompt({
  en: `{{faults}}
Write the whole plan again, with at least one and at most {{max}} steps. Join steps that belong together; drop no constraint.`,
  zh: `{{faults}}
请重新写出完整计划，至少一个步骤，最多 {{max}} 个步骤。合并相关的步骤；不要丢掉任何约束。`,
});
