import {
  definePrompt,
  parseStructured,
  type PlanProgress,
  type PlanStep,
  type Prompt,
  type StrategyContext,
  type ToolCall,
  type ToolDescription,
  Type,
} from "@loopwright/core/plugin";
import { evidenceIds } from "./read-answer.ts";

/** The name of the call by which a model says that a step of the plan has ended. */
export const PLAN_ACTION = "update_plan";

/** What a call of the loop's own came to. */
export interface ActionResult {
  readonly text: string;
  readonly ok: boolean;
  /** True where a step of the plan ended. */
  readonly hasEnded: boolean;
}

/**
 * The calls that the loop answers itself: the progress of the plan, where there is one and no tool has its name. A stage
 * that does one step of the plan leaves the end of it to whoever gave it that step.
 */
export function actionsOf(context: StrategyContext): readonly ToolDescription[] {
  const { plan, task } = context.state;
  const isTaken = context.tools.some(({ name }) => name === PLAN_ACTION);
  if (plan.steps.length === 0 || task.part !== undefined || isTaken) return [];
  return [{ name: PLAN_ACTION, description: context.words(MANUAL), input: INPUT }];
}

/**
 * Ends a step of the plan as the model says. One is done only by its success condition, and, where it needs information
 * from outside, by evidence; a failed one asks for another plan. What can't be is answered with why, never thrown.
 */
export async function updatePlan(context: StrategyContext, call: ToolCall): Promise<ActionResult> {
  const { steps } = context.state.plan;
  const read = parseStructured(call.arguments, {
    schema: INPUT,
    language: context.language,
  });
  if (!read.ok) return refusal(context.words(UNREADABLE, { reason: read.message }));
  const progress = { evidence: [], ...(read.value as object) } as unknown as PlanProgress;
  const step = steps.find(({ id }) => id === progress.step);
  if (step === undefined) {
    const ids = steps.map(({ id }) => id).join(", ");
    return refusal(context.words(UNKNOWN_STEP, { step: oneLine(progress.step), ids }));
  }
  const reason = reasonAgainst(context, step, progress);
  if (reason !== undefined) return refusal(reason);
  context.save({ progress: [progress] });
  if (progress.status === "done") return ended(context.words(DONE, { step: step.id }));
  return ended(await otherPlan(context, `${step.objective}: ${progress.because}`));
}

/** Asks for another plan, and says which it is or why there is none. */
export async function otherPlan(context: StrategyContext, reason: string): Promise<string> {
  const revised = await context.replan({ reason });
  if (!revised.ok) return context.words(NO_PLAN, { reason: revised.reason });
  return context.words(NEW_PLAN, { plan: context.brief(["plan"]) });
}

function reasonAgainst(
  context: StrategyContext,
  { id, needsExternalInfo, successCondition, status: before }: PlanStep,
  { status, because, evidence }: PlanProgress,
): string | undefined {
  if (before === status) return context.words(ALREADY, { step: id, status });
  if (because.trim() === "")
    return context.words(NO_BECAUSE, { step: id, condition: successCondition });
  const known = evidenceIds(context.state);
  const unknown = evidence.filter((one) => !known.includes(one));
  if (unknown.length > 0)
    return context.words(NO_SUCH_EVIDENCE, { ids: unknown.map(oneLine).join(", "), step: id });
  const lacksEvidence = status === "done" && needsExternalInfo && evidence.length === 0;
  return lacksEvidence ? context.words(NO_EVIDENCE, { step: id }) : undefined;
}

function refusal(text: string): ActionResult {
  return { text, ok: false, hasEnded: false };
}

function ended(text: string): ActionResult {
  return { text, ok: true, hasEnded: true };
}

function oneLine(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

const INPUT = JSON.parse(
  JSON.stringify(
    Type.Object({
      step: Type.String({ description: "the id of the step" }),
      status: Type.Union([Type.Literal("done"), Type.Literal("failed")]),
      evidence: Type.Optional(
        Type.Array(Type.String(), { description: "ids of the observations that show it" }),
      ),
      because: Type.String({
        description: "how its success condition is met, or why it can't be",
      }),
    }),
  ),
) as ToolDescription["input"];

const MANUAL: Prompt = definePrompt({
  en: "Says that a step of the plan is done or has failed. Call it as soon as a step's success condition is met, or can't be met; a failed step may bring another plan.",
  zh: "说明计划中的某一步已完成或已失败。某一步的完成条件一旦满足或无法满足，就调用它；失败的步骤可能带来新的计划。",
});

const UNREADABLE: Prompt<"reason"> = definePrompt({
  en: "not noted: {{reason}}",
  zh: "未记录：{{reason}}",
});

const UNKNOWN_STEP: Prompt<"step" | "ids"> = definePrompt({
  en: "not noted: the plan has no step {{step}}; its steps are {{ids}}",
  zh: "未记录：计划里没有步骤 {{step}}；现有步骤：{{ids}}",
});

const ALREADY: Prompt<"step" | "status"> = definePrompt({
  en: "not noted: {{step}} is {{status}} already",
  zh: "未记录：{{step}} 的状态已经是 {{status}}",
});

const NO_BECAUSE: Prompt<"step" | "condition"> = definePrompt({
  en: "not noted: say in `because` how the success condition of {{step}} is met, or why it can't be: {{condition}}",
  zh: "未记录：请在 `because` 中说明 {{step}} 的完成条件是怎样满足的，或者为什么无法满足：{{condition}}",
});

const NO_SUCH_EVIDENCE: Prompt<"ids" | "step"> = definePrompt({
  en: "not noted: {{ids}} named as evidence of {{step}} was never observed; name ids of observations",
  zh: "未记录：{{step}} 所引的依据 {{ids}} 从未观察到；请写观察结果的编号",
});

const NO_EVIDENCE: Prompt<"step"> = definePrompt({
  en: "not noted: {{step}} needs information from outside; name in `evidence` the observations that meet its success condition",
  zh: "未记录：{{step}} 需要外部信息；请在 `evidence` 中写出满足其完成条件的观察结果的编号",
});

const DONE: Prompt<"step"> = definePrompt({
  en: "noted: {{step}} is done",
  zh: "已记录：{{step}} 已完成",
});

const NEW_PLAN: Prompt<"plan"> = definePrompt({
  en: "noted; this is the plan from here on:\n{{plan}}",
  zh: "已记录；此后按这份计划进行：\n{{plan}}",
});

const NO_PLAN: Prompt<"reason"> = definePrompt({
  en: "noted; the plan stays, since there is no other: {{reason}}. Go on as well as you can, and say in the answer what is missing",
  zh: "已记录；没有别的计划，原计划不变：{{reason}}。请尽力继续，并在答案里说明缺少什么",
});
