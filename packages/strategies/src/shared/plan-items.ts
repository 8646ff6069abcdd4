import {
  defuseFences,
  definePrompt,
  type ItemResult,
  type Json,
  type PlanProgress,
  type PlanStep,
  type Slots,
  type StrategyContext,
} from "@loopwright/core/plugin";
import { NOTHING } from "./item-results.ts";
import { oneLine } from "./one-line.ts";
import { quoted } from "./quoted.ts";
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
  const results = before.map((result) => cameTo(context, result));
  return [
    context.words(PLACE, place),
    context.words(WHOLE, { task: context.state.task.text }),
    successCondition === "" ? "" : context.words(DONE_WHEN, { condition: successCondition }),
    results.length === 0 ? "" : `${context.words(BUILDS_ON)}\n${results.join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** What an earlier step came to, as data: it opens no section, and passes for no result of a tool. */
function cameTo<S extends Slots>(context: StrategyContext<S>, result: ItemResult): string {
  const { key, ok, answer } = result;
  const reason = shortfallOf(context, result);
  const said = quoted(defuseFences(result.text), maxResultChars);
  if (reason === undefined) return `- [${key}] ${said}`;
  const why = oneLine(reason);
  if (!ok || !answer.solvable) return context.words(FAILED, { key, reason: why });
  return context.words(NOT_DONE, { key, reason: why, said });
}

/** What of an earlier result a later step is told. */
const maxResultChars = 2000;

/** Why the step of an item is not done; undefined where it is. */
function shortfallOf<S extends Slots>(
  context: StrategyContext<S>,
  { item, ok, reason, answer }: ItemResult,
): string | undefined {
  if (!ok || reason !== "") return reason;
  if (!answer.solvable) return answer.unsolvableReason;
  const { needsExternalInfo } = item as unknown as PlanStep;
  const lacksEvidence = needsExternalInfo && answer.evidence.length === 0;
  return lacksEvidence ? context.words(NO_EVIDENCE) : undefined;
}

/**
 * How the items of the plan ended: done with an answer that was not cut short and, where the step needs information from
 * outside, names its evidence; else failed, or as open as before where there is no answer.
 */
export function progressOf<S extends Slots>(
  context: StrategyContext<S>,
  results: readonly ItemResult[],
): readonly PlanProgress[] {
  const { plan, observations } = context.state;
  const steps = new Set(plan.steps.map(({ id }) => id));
  const ids = new Set(observations.map(({ id }) => id));
  return results.flatMap((result): readonly PlanProgress[] => {
    const { key: step, ok, answer } = result;
    if (!steps.has(step) || (ok && answer.revision === 0)) return [];
    const evidence = answer.evidence.filter((id) => ids.has(id));
    const why = shortfallOf(context, result);
    return why === undefined
      ? [{ step, status: "done", evidence, because: answer.text }]
      : [{ step, status: "failed", evidence, because: why }];
  });
}

/** A step that was done before the items ran, as the result that others build on. */
export function doneBefore(item: Json): ItemResult {
  const { id, evidence, because = "" } = item as unknown as PlanStep;
  const answer = { ...NOTHING.answer, text: because, evidence };
  return { ...NOTHING, key: id, item, ok: true, answer, text: because };
}

/** Why another plan is wanted: the steps that failed; empty where none did. */
export function failuresIn(progress: readonly PlanProgress[]): string {
  return progress
    .filter(({ status }) => status === "failed")
    .map(({ step, because }) => `[${step}] ${oneLine(because)}`)
    .join("; ");
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

const NOT_DONE = definePrompt({
  en: "- [{{key}}] not done, because {{reason}}; what it said: {{said}}",
  zh: "- [{{key}}] 未完成，原因：{{reason}}；它的回答：{{said}}",
});

const NO_EVIDENCE = definePrompt({
  en: "the step needs information from outside, and its answer names no observation as evidence",
  zh: "该步骤需要外部信息，但它的答案没有引用任何观察结果作为依据",
});
