import { definePrompt, type Language, wordsIn } from "@loopwright/core/plugin";
import { oneLine } from "./one-line.ts";
import {
  objectivesOf,
  type PlanDraft,
  type PlannedStepDraft,
  type PlanRoom,
} from "./plan-draft.ts";

/** What keeps a draft from being a plan of 1 to `max` steps in order, a sentence each. */
export function faultsOf(
  draft: PlanDraft,
  { max, done, failed }: PlanRoom,
  language: Language,
): readonly string[] {
  const count = draft.steps.length;
  if (count > max) return [wordsIn(language, TOO_MANY, { count, surplus: count - max })];
  // Where all that is planned stands done already, the plan is what stands.
  if (count === 0)
    return failed === undefined && done.length > 0 ? [] : [wordsIn(language, NO_STEP)];
  const faults: string[] = [];
  const known = new Set(done.map(({ id }) => id));
  for (const { id, dependsOn } of draft.steps) {
    if (known.has(id)) faults.push(wordsIn(language, TWICE, { id }));
    for (const other of dependsOn.filter((name) => !known.has(name)))
      faults.push(wordsIn(language, NOT_EARLIER, { id, other }));
    known.add(id);
  }
  if (failed?.includes(objectivesOf(draft.steps)) === true)
    faults.push(wordsIn(language, NO_PROGRESS));
  return faults;
}

/** What mends a plan that has faults, for whoever reads why there is none. */
export function adviceFor({ steps }: PlanDraft, { max }: PlanRoom, language: Language): string {
  if (steps.length > max) return wordsIn(language, FEWER);
  const places = new Map(steps.map(({ id }, index) => [id, index]));
  for (const [index, { id, dependsOn }] of steps.entries()) {
    const other = dependsOn.find((name) => (places.get(name) ?? -1) >= index);
    if (other === undefined) continue;
    const isCircle = isBehind(steps, id, other);
    return wordsIn(language, isCircle ? CIRCLE : ORDER, { id: oneLine(id), other: oneLine(other) });
  }
  return wordsIn(language, OTHERWISE);
}

/** True where a step depends on another, directly or through others. */
function isBehind(steps: PlanDraft["steps"], id: string, other: string): boolean {
  const seen = new Set([other]);
  for (const name of seen)
    for (const step of steps)
      if (step.id === name) for (const next of step.dependsOn) seen.add(next);
  return seen.has(id);
}

/** The first of many faults, each cut to a line, and how many there are beside them. */
export function firstFaults(faults: readonly string[], language: Language): readonly string[] {
  const first = faults.slice(0, maxFaults).map((fault) => oneLine(fault));
  const count = faults.length - first.length;
  return count === 0 ? first : [...first, wordsIn(language, MORE, { count })];
}

const maxFaults = 10;

/** What a draft should say better, and what no second draft fails for: a sentence each. */
export function weaknessesOf(
  { conflicts, steps }: PlanDraft,
  known: string,
  language: Language,
): readonly string[] {
  const unpriced = conflicts.filter(
    ({ resolution, between, prices }) =>
      resolution === "ask" && between.some((_, index) => (prices[index] ?? "").trim() === ""),
  );
  const alone = conflicts.filter(({ between }) => between.length < 2);
  return [
    ...unpriced.map(({ between }) => wordsIn(language, PRICES, { wishes: between.join(", ") })),
    ...alone.map(({ detail }) => wordsIn(language, WISHES, { detail })),
    ...inventedIn(steps, known).map((id) => wordsIn(language, INVENTED, { id })),
  ];
}

/**
 * The numbers of steps that look like an id and stand nowhere in what the planner was told.
 *
 * Only digits in a row of five and more count: shorter numbers are years, counts and sums that a planner may well work out.
 * An id that only the instructions of the spec name is found too; all it costs is one more draft.
 */
export function inventedIn(steps: readonly PlannedStepDraft[], known: string): readonly string[] {
  const found = steps.flatMap(({ objective, successCondition }) =>
    [...`${objective} ${successCondition}`.matchAll(LONG_NUMBER)].map(([number]) => number),
  );
  return [...new Set(found)].filter((number) => !known.includes(number));
}

const LONG_NUMBER = /\d{5,}/gu;

const MORE = definePrompt({ en: "And {{count}} more.", zh: "另有 {{count}} 处。" });

const FEWER = definePrompt({
  en: "Raise `maxPlanSteps`, or make the task smaller",
  zh: "请提高 `maxPlanSteps`，或缩小任务",
});

const CIRCLE = definePrompt({
  en: "{{id}} and {{other}} depend on each other in a circle: say in the task which of them comes first",
  zh: "{{id}} 与 {{other}} 循环依赖：请在任务中说明哪一个在先",
});

const ORDER = definePrompt({
  en: "Put {{other}} before {{id}}: say in the task that it comes first",
  zh: "把 {{other}} 放在 {{id}} 之前：请在任务中说明它在先",
});

const OTHERWISE = definePrompt({
  en: "Say in the task or in `instructions` which steps it takes, or use a stronger model",
  zh: "请在任务或 `instructions` 中说明需要哪些步骤，或换用更强的模型",
});

const NO_STEP = definePrompt({ en: "The plan has no step.", zh: "计划没有任何步骤。" });

const TOO_MANY = definePrompt({
  en: "The plan has {{count}} steps, {{surplus}} too many.",
  zh: "计划有 {{count}} 个步骤，多了 {{surplus}} 个。",
});

const TWICE = definePrompt({
  en: "The id {{id}} stands for two steps.",
  zh: "id {{id}} 用于两个步骤。",
});

const NOT_EARLIER = definePrompt({
  en: "{{id}} depends on {{other}}, which is no earlier step.",
  zh: "{{id}} 依赖 {{other}}，但它不是更早的步骤。",
});

const NO_PROGRESS = definePrompt({
  en: "The plan is the one that failed: it makes no progress.",
  zh: "这就是失败的那个计划：没有任何进展。",
});

const PRICES = definePrompt({
  en: "Name the price of each side: {{wishes}}.",
  zh: "请写明每一方的代价：{{wishes}}。",
});

const WISHES = definePrompt({
  en: "Name the two wishes that stand against each other: {{detail}}",
  zh: "请写明相互冲突的两个愿望：{{detail}}",
});

const INVENTED = definePrompt({
  en: "{{id}} stands nowhere in what you were given.",
  zh: "{{id}} 在给你的内容中没有出现过。",
});
