import { type Plan, type PlanStep, type TSchema, Type } from "@loopwright/core/plugin";
import { oneLine } from "./one-line.ts";
import { isSameText, plainText } from "./plain-words.ts";
import { PlannedConflict } from "./planned-conflict.ts";

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
export type PlannedStepDraft = Omit<PlanStep, "status" | "evidence" | "because">;

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
  /** The plans that failed, as `objectivesOf` has them; missing for a plan that nobody asked to be made again. */
  readonly failed?: readonly string[];
}

/** The draft with ids that can be nothing else, and without steps that are done already: what depends on them depends on those that did the work. */
export function fitted(draft: PlanDraft, { done, failed }: PlanRoom): PlanDraft {
  const doneBy = (objective: string) => done.find((step) => isSameText(step.objective, objective));
  const taken = new Set([...draft.steps, ...done].map(({ id }) => id));
  const renamed = new Map<string, string>();
  for (const { id, objective } of draft.steps) {
    const earlier = doneBy(objective);
    const isTaken = failed === undefined && done.some((step) => step.id === id);
    if (earlier !== undefined) renamed.set(id, earlier.id);
    else if (!renamed.has(id) && (isTaken || !isPlainId(id))) renamed.set(id, freeId(taken));
  }
  const nameOf = (id: string): string => renamed.get(id) ?? id;
  const steps = draft.steps
    .filter(({ objective }) => doneBy(objective) === undefined)
    .map((step) => ({
      ...step,
      id: nameOf(step.id),
      objective: oneLine(step.objective, maxTextChars),
      successCondition: oneLine(step.successCondition, maxTextChars),
      dependsOn: [...new Set(step.dependsOn.map(nameOf))],
    }));
  return { ...draft, steps };
}

/** More than a step has to say. */
const maxTextChars = 2000;

/** Short, on one line, and not what an observation may be called. */
function isPlainId(id: string): boolean {
  return (
    /^[\p{L}\p{N}](?:[\p{L}\p{N} ._#/-]{0,38}[\p{L}\p{N}])?$/u.test(id) && !/observation/iu.test(id)
  );
}

function freeId(taken: Set<string>): string {
  let number = 1;
  while (taken.has(`step-${number}`)) number += 1;
  const id = `step-${number}`;
  taken.add(id);
  return id;
}

/** What steps are after, in any order: two plans with the same are the same plan. */
export function objectivesOf(steps: readonly { readonly objective: string }[]): string {
  return [...new Set(steps.map(({ objective }) => plainText(objective)))].toSorted().join("\n");
}

/** The steps of a draft, every one open, after those that are done; of these, the ones that the draft builds on go first where not all have room. */
export function stepsOf(draft: PlanDraft, { max, done, failed }: PlanRoom): Plan["steps"] {
  const open = draft.steps.map((step) => ({ ...step, status: "open" as const, evidence: [] }));
  const left = failed === undefined ? max - open.length : done.length;
  if (done.length <= left) return [...done, ...open];
  const wanted = new Set(open.flatMap(({ dependsOn }) => dependsOn));
  const first = done.toSorted((a, b) => Number(wanted.has(b.id)) - Number(wanted.has(a.id)));
  const kept = new Set(first.slice(0, left).map(({ id }) => id));
  const dropped = new Set(done.map(({ id }) => id).filter((id) => !kept.has(id)));
  const steps = [...done.filter(({ id }) => kept.has(id)), ...open];
  return steps.map((step) => ({
    ...step,
    dependsOn: step.dependsOn.filter((id) => !dropped.has(id)),
  }));
}
