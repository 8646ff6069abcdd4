import {
  definePrompt,
  type ItemResult,
  type Json,
  type Plan,
  type PlanProgress,
  type PlanStep,
  type RunState,
  type SlotResult,
  type Slots,
  type StrategyContext,
} from "@loopwright/core/plugin";
import type { Waiting } from "./waves.ts";

/** True for the list of the steps of the plan that stands, as an expression names it. */
export function isPlanSteps(expression: string): boolean {
  return expression.trim() === "plan.steps";
}

/** True for a step that is done, as an expression sees it. */
export function isDone(item: Json): boolean {
  return (item as Partial<PlanStep> | null)?.status === "done";
}

/** What is to be done in a step of the plan. */
export function objectiveOf(item: Json): string {
  return (item as Partial<PlanStep> | null)?.objective ?? "";
}

/** Tells a stage which step of the plan is its own, when it is done, and what the steps it builds on came to. */
export function partText<S extends Slots>(
  context: StrategyContext<S>,
  { item }: Waiting,
  place: { readonly number: number; readonly count: number },
  before: readonly ItemResult[],
): string {
  const { successCondition = "" } = (item ?? {}) as Partial<PlanStep>;
  const results = before.map(({ key, ok, text, reason, answer }) =>
    ok && answer.solvable
      ? `- [${key}] ${shortened(text, maxResultChars)}`
      : context.words(FAILED, { key, reason: ok ? answer.unsolvableReason : reason }),
  );
  return [
    context.words(PLACE, place),
    context.words(WHOLE, { task: context.state.task.text }),
    successCondition === "" ? "" : context.words(DONE_WHEN, { condition: successCondition }),
    results.length === 0 ? "" : `${context.words(BUILDS_ON)}\n${results.join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** What of an earlier result a later step is told. */
const maxResultChars = 2000;

/** How an item of the plan that ended: done with its answer, failed, or as open as before where it gave none. */
export function progressOf(
  plan: Plan,
  before: RunState,
  ended: readonly {
    readonly result: ItemResult | undefined;
    readonly branch: SlotResult | undefined;
  }[],
): readonly PlanProgress[] {
  const known = new Set(plan.steps.map(({ id }) => id));
  return ended.flatMap(({ result, branch }): readonly PlanProgress[] => {
    if (result === undefined) return [];
    const { key, ok, reason, answer } = result;
    const hasAnswered = answer.revision > 0;
    if (!known.has(key) || (ok && !hasAnswered)) return [];
    const made = (branch?.state.observations ?? []).slice(before.observations.length);
    const ids = new Set(made.filter(({ isThought }) => isThought !== true).map(({ id }) => id));
    const evidence = answer.evidence.filter((id) => ids.has(id));
    if (ok && answer.solvable)
      return [{ step: key, status: "done", evidence, because: shortened(answer.text) }];
    const why = ok ? answer.unsolvableReason : reason;
    return [{ step: key, status: "failed", evidence, because: shortened(why) }];
  });
}

/** Why another plan is wanted: the steps that failed; empty where none did. */
export function failuresIn(progress: readonly PlanProgress[]): string {
  return progress
    .filter(({ status }) => status === "failed")
    .map(({ step, because }) => `[${step}] ${because}`)
    .join("; ");
}

function shortened(text: string, max = 300): string {
  const trimmed = text.trim();
  return trimmed.length <= max ? trimmed : `${trimmed.slice(0, max - 1)}…`;
}

const PLACE = definePrompt({
  en: "This is step {{number}} of {{count}} of a larger task. Do this step and no other.",
  zh: "这是一个更大任务的第 {{number}} 步，共 {{count}} 步。只做这一步。",
});

const WHOLE = definePrompt({ en: "The whole task: {{task}}", zh: "整个任务：{{task}}" });

const DONE_WHEN = definePrompt({ en: "Done when: {{condition}}", zh: "完成条件：{{condition}}" });

const BUILDS_ON = definePrompt({
  en: "What the steps it builds on came to:",
  zh: "它所依赖的步骤的结果：",
});

const FAILED = definePrompt({
  en: "- [{{key}}] failed: {{reason}}",
  zh: "- [{{key}}] 失败：{{reason}}",
});
