import {
  definePrompt,
  isNoResult,
  type Language,
  type Observation,
  observationText,
  wordsIn,
} from "@loopwright/core/plugin";
import { oneLine } from "./one-line.ts";
import { callLine, type ToolStep } from "./tool-plan.ts";

/** What one step of a plan of tool calls came to. */
export type StepEnd =
  /** A tool was called; its observation is evidence where it went well. */
  | { readonly kind: "called"; readonly observation: Observation }
  /** The model itself said something: no evidence, and shown as what it is. */
  | { readonly kind: "said"; readonly text: string }
  /** Nothing was called, and why; `isCut` where a limit of the run was near. */
  | { readonly kind: "left-out"; readonly reason: string; readonly isCut?: true };

/** True where a step brought something that others can build on: words, or the tool's own result. */
export function hasBrought(end: StepEnd | undefined): boolean {
  if (end?.kind === "said") return end.text.trim() !== "";
  return end?.kind === "called" && isResult(end.observation);
}

/** True for what a tool itself found: no failure, no stand-in for one, and not nothing. */
function isResult({ ok, degraded, content }: Observation): boolean {
  return ok && !degraded && !isNoResult(content);
}

/** The end of a step that a limit left no room for. */
export function cutStep(language: Language): StepEnd {
  return { kind: "left-out", reason: wordsIn(language, LIMIT), isCut: true };
}

/** The text that takes the place of a reference to a step. */
export function broughtText(end: StepEnd | undefined): string {
  if (end?.kind === "said") return end.text;
  return end?.kind === "called" ? end.observation.content : "";
}

/** Steps with what they came to, as a model reads them: results of tools stand fenced. */
export function stepLines(
  steps: readonly ToolStep[],
  endOf: (id: string) => StepEnd | undefined,
  language: Language,
): string {
  return steps
    .map((step) => {
      // What a model wrote can't pass for what a tool returned, nor for a step of its own.
      const head = `${step.id}: ${oneLine(step.plan)}`;
      return `${head}\n${callLine(step)}\n${endText(endOf(step.id), language)}`;
    })
    .join("\n\n");
}

/** What a step came to, as a model reads it. */
export function endText(end: StepEnd | undefined, language: Language): string {
  if (end === undefined) return endText(cutStep(language), language);
  if (end.kind === "left-out") return wordsIn(language, LEFT_OUT, { reason: oneLine(end.reason) });
  if (end.kind === "said")
    return wordsIn(language, SAID, { text: oneLine(end.text, maxSaidChars) });
  const { ok, degraded } = end.observation;
  const text = observationText(end.observation);
  if (degraded) return `${wordsIn(language, STAND_IN)}\n${text}`;
  return ok ? text : `${wordsIn(language, FAILED)}\n${text}`;
}

const maxSaidChars = 4000;

const LEFT_OUT = definePrompt({
  en: "no evidence: {{reason}}",
  zh: "没有证据：{{reason}}",
});

const LIMIT = definePrompt({
  en: "a limit is near, so it was not carried out",
  zh: "已接近限额，因此没有执行",
});

const SAID = definePrompt({
  en: "thought of the model, not evidence: {{text}}",
  zh: "模型自己的推断，不是证据：{{text}}",
});

const FAILED = definePrompt({ en: "failed:", zh: "失败：" });

const STAND_IN = definePrompt({
  en: "failed; what follows stands in for it and is no result of the tool:",
  zh: "失败；以下内容只是替代，不是该工具的结果：",
});
