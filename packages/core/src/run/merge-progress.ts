import type { PlanStep, RunState } from "../contracts/state.ts";
import type { Frame } from "./run-scope.ts";
import { tellIn } from "./save-change.ts";

/**
 * Puts what became of the plan's steps in a branch over the frame's plan, step by step; nothing where one of them has
 * another plan.
 *
 * Where branches say different things of a step, the one that claims least holds, failed over open over done; that is
 * told, because the last thing told of the step may be what another branch said.
 */
export function mergeProgress(frame: Frame, before: RunState, branch: RunState): void {
  const { plan } = frame.state;
  const isSamePlan = [branch, frame.state].every((one) => one.planRevision === before.planRevision);
  if (!isSamePlan || branch.plan === before.plan) return;
  const changed = new Map(
    branch.plan.steps.flatMap((step, index) =>
      step === before.plan.steps[index] ? [] : [[step.id, step] as const],
    ),
  );
  const untouched = new Set(before.plan.steps);
  const steps = plan.steps.map((step) => {
    const other = changed.get(step.id);
    if (other === undefined || other === step) return step;
    return untouched.has(step) ? other : together(frame, step, other);
  });
  frame.state = { ...frame.state, plan: { ...plan, steps } };
}

/** What two branches say of one step: the evidence of both where they agree. */
function together(frame: Frame, one: PlanStep, other: PlanStep): PlanStep {
  if (one.status === other.status)
    return { ...one, evidence: [...new Set([...one.evidence, ...other.evidence])] };
  const held = claim[one.status] < claim[other.status] ? one : other;
  const { id: step, status, evidence, because = "" } = held;
  tellIn(frame)("plan-step.ended", { step, status, evidence, because });
  return held;
}

/** How much a status claims of the work. */
const claim: Readonly<Record<PlanStep["status"], number>> = { failed: 0, open: 1, done: 2 };
