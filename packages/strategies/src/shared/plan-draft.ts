import {
  definePrompt,
  type Language,
  type Plan,
  type PlanStep,
  type TSchema,
  Type,
  wordsIn,
} from "@loopwright/core/plugin";
import { PlannedConflict } from "./conflicts.ts";
import { plainWords } from "./plain-words.ts";

const PlannedStep = Type.Object({
  id: Type.String({ description: "Short and unique: step-1, step-2, …" }),
  objective: Type.String({ description: "What is known or done after the step." }),
  needsExternalInfo: Type.Boolean({
    description: "Whether a tool or a person must supply a fact.",
  }),
  successCondition: Type.String({ description: "How one can tell that the step is done." }),
  dependsOn: Type.Array(Type.String(), { description: "Ids of earlier steps that it builds on." }),
});

/** A step as a model plans it. */
type PlannedStepDraft = Omit<PlanStep, "status" | "evidence" | "because">;

/** A plan as a model writes it. */
export interface PlanDraft {
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly conflicts: readonly PlannedConflict[];
  readonly steps: readonly PlannedStepDraft[];
}

/** The schema of a plan. */
export const PlanDraft: TSchema & { readonly static: PlanDraft } = Type.Object({
  goal: Type.String({ description: "What the task is after, in one sentence." }),
  constraints: Type.Array(Type.String(), {
    description: "Conditions that the answer must meet; hard constraints word for word.",
  }),
  conflicts: Type.Array(PlannedConflict, { description: "Wishes that cannot all be met." }),
  steps: Type.Array(PlannedStep),
});

/** What a draft is held against. */
export interface PlanRoom {
  /** The most steps that it may have. */
  readonly max: number;
  /** The steps of the plan that stands which are done; they stay, and are no part of the draft. */
  readonly done: readonly PlanStep[];
  /** The other steps of the plan that stands, where the draft has to differ from them. */
  readonly undone: readonly PlanStep[];
}

/** The draft without steps that are done already; what depends on them depends on those that did the work. */
export function withoutDone(draft: PlanDraft, { done }: PlanRoom): PlanDraft {
  const doneBy = new Map(done.map(({ id, objective }) => [plainWords(objective), id]));
  const renamed = new Map<string, string>();
  const steps = draft.steps.filter(({ id, objective }) => {
    const earlier = doneBy.get(plainWords(objective));
    if (earlier !== undefined) renamed.set(id, earlier);
    return earlier === undefined;
  });
  const known = steps.map((step) => ({
    ...step,
    dependsOn: [...new Set(step.dependsOn.map((id) => renamed.get(id) ?? id))],
  }));
  return { ...draft, steps: known };
}

/** What keeps a draft from being a plan of 1 to `max` steps in order, a sentence each. */
export function faultsOf(
  draft: PlanDraft,
  { max, done, undone }: PlanRoom,
  language: Language,
): readonly string[] {
  const count = draft.steps.length;
  const faults: string[] = [];
  if (count === 0) faults.push(wordsIn(language, NO_STEP));
  if (count > max) faults.push(wordsIn(language, TOO_MANY, { count, surplus: count - max }));
  const known = new Set(done.map(({ id }) => id));
  for (const { id, dependsOn } of draft.steps) {
    if (known.has(id)) faults.push(wordsIn(language, TWICE, { id }));
    for (const other of dependsOn.filter((name) => !known.has(name)))
      faults.push(wordsIn(language, NOT_EARLIER, { id, other }));
    known.add(id);
  }
  if (count > 0 && objectivesOf(draft.steps) === objectivesOf(undone))
    faults.push(wordsIn(language, NO_PROGRESS));
  return faults;
}

function objectivesOf(steps: readonly PlannedStepDraft[]): string {
  return steps.map(({ objective }) => plainWords(objective)).join("\n");
}

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

/** The steps of a draft, every one open, after those that are done. */
export function stepsOf(draft: PlanDraft, { done }: PlanRoom): Plan["steps"] {
  const open = draft.steps.map((step) => ({ ...step, status: "open" as const, evidence: [] }));
  return [...done, ...open];
}

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
