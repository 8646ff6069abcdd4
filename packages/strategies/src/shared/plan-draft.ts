import { type Plan, type PlanStep, type TSchema, Type } from "@loopwright/core/plugin";

const PlannedStep = Type.Object({
  id: Type.String({ description: "Short and unique: step-1, step-2, …" }),
  objective: Type.String({ description: "What is known or done after the step." }),
  needsExternalInfo: Type.Boolean({
    description: "Whether a tool or a person must supply a fact.",
  }),
  successCondition: Type.String({ description: "How one can tell that the step is done." }),
  dependsOn: Type.Array(Type.String(), { description: "Ids of earlier steps that it builds on." }),
});

/** A plan as a model writes it. */
export type PlanDraft = Omit<Plan, "steps"> & {
  readonly steps: readonly Omit<PlanStep, "status" | "evidence">[];
};

/** The schema of a plan; `size` bounds its steps. */
export function planDraftOf(
  size: { readonly minItems?: number; readonly maxItems?: number } = {},
): TSchema & { readonly static: PlanDraft } {
  return Type.Object({
    goal: Type.String({ description: "What the task is after, in one sentence." }),
    constraints: Type.Array(Type.String(), {
      description: "Conditions that the answer must meet.",
    }),
    conflicts: Type.Array(Type.String(), { description: "Conditions that cannot all be met." }),
    steps: Type.Array(PlannedStep, size),
  });
}

/** What keeps a draft from being a plan of 1 to `max` steps in order, a sentence each. */
export function faultsOf(draft: PlanDraft, max: number): readonly string[] {
  const count = draft.steps.length;
  const faults: string[] = [];
  if (count === 0) faults.push("The plan has no step.");
  if (count > max) faults.push(`The plan has ${count} steps, ${count - max} too many.`);
  draft.steps.forEach((step, index) => {
    const earlier = idsBefore(draft, index);
    if (earlier.has(step.id)) faults.push(`The id ${step.id} stands for two steps.`);
    for (const id of step.dependsOn.filter((name) => !earlier.has(name))) {
      faults.push(`${step.id} depends on ${id}, which is no earlier step.`);
    }
  });
  return faults;
}

/** The plan of a draft, every step open; what the order of the steps already says or contradicts is left out. */
export function toPlan(draft: PlanDraft): Plan {
  const { goal, constraints, conflicts } = draft;
  const steps = draft.steps.map((step, index) => {
    const earlier = idsBefore(draft, index);
    return {
      ...step,
      id: earlier.has(step.id) ? `${step.id}-at-${index + 1}` : step.id,
      dependsOn: step.dependsOn.filter((id) => earlier.has(id)),
      status: "open" as const,
      evidence: [],
    };
  });
  return { goal, constraints, conflicts, steps };
}

function idsBefore(draft: PlanDraft, index: number): ReadonlySet<string> {
  return new Set(draft.steps.slice(0, index).map((step) => step.id));
}
