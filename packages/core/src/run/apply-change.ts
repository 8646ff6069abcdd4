import type { EventData } from "../contracts/event.ts";
import type {
  AnswerDraft,
  PlanProgress,
  PlanStep,
  RunState,
  StateChange,
  VerdictDraft,
} from "../contracts/state.ts";
import { InternalError } from "../errors/loopwright-error.ts";
import { evidenceIds } from "./evidence-citations.ts";
import { defuseFences } from "./observation-text.ts";
import { shortLine } from "./one-line.ts";

/** Tells a fact about a change. */
export type Tell = <
  N extends
    | "plan.made"
    | "plan.revised"
    | "plan-step.ended"
    | "answer.given"
    | "answer.revised"
    | "verdict.given",
>(
  name: N,
  data: EventData[N],
) => void;

/** Who changes the state. */
export interface Author {
  readonly stage: string;
  readonly model: string;
}

/** Applies a change to the state: stamps revisions and authors, refuses evidence that names no observation. */
export function applyChange(
  state: RunState,
  change: StateChange,
  author: Author,
  tell: Tell,
): RunState {
  let next = state;
  if (change.plan !== undefined) {
    const evidence = change.plan.steps.flatMap((step) => step.evidence);
    refuseForgedEvidence(state, evidence, author.stage);
    next = { ...next, plan: change.plan, planRevision: state.planRevision + 1 };
    tell(state.planRevision === 0 ? "plan.made" : "plan.revised", { plan: change.plan });
  }
  if (change.progress !== undefined) next = applyProgress(next, change.progress, author, tell);
  if (change.answer !== undefined) next = applyAnswer(next, change.answer, author, tell);
  if (change.verdict !== undefined) {
    refuseForgedEvidence(state, change.verdict.supportedEvidence ?? [], author.stage);
    next = applyVerdict(next, change.verdict, tell);
  }
  if (change.candidates !== undefined) {
    const evidence = change.candidates.flatMap((candidate) => candidate.evidence);
    refuseForgedEvidence(state, evidence, author.stage);
    const added = change.candidates.map((candidate) => ({ ...candidate, by: author.stage }));
    next = { ...next, candidates: [...next.candidates, ...added] };
  }
  if (change.thread !== undefined) {
    const seen = {
      answerRevision: next.answer.revision,
      verdictRevision: next.verdict.answerRevision,
      planRevision: next.planRevision,
    };
    next = {
      ...next,
      thread: { by: author.stage, model: author.model, messages: change.thread.messages, seen },
    };
  }
  return next;
}

function applyProgress(
  state: RunState,
  progress: readonly PlanProgress[],
  author: Author,
  tell: Tell,
): RunState {
  const evidence = progress.flatMap((one) => one.evidence);
  refuseForgedEvidence(state, evidence, author.stage);
  const byStep = new Map(progress.map((one) => [one.step, { ...one, because: shownBecause(one) }]));
  const known = new Set(state.plan.steps.map(({ id }) => id));
  const unknown = [...byStep.keys()].filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new InternalError(
      "contract-broken",
      `stage \`${author.stage}\` ends steps that the plan does not have: ${unknown.join(", ")}`,
    );
  for (const one of byStep.values()) tell("plan-step.ended", one);
  const steps = state.plan.steps.map((step) => ended(step, byStep.get(step.id)));
  return { ...state, plan: { ...state.plan, steps } };
}

/** How a condition is met is shown in every later prompt, and a model wrote it. */
function shownBecause({ because }: PlanProgress): string {
  return shortLine(defuseFences(because), maxBecauseChars);
}

const maxBecauseChars = 300;

function ended(step: PlanStep, progress: PlanProgress | undefined): PlanStep {
  if (progress === undefined) return step;
  const { because: _, ...rest } = step;
  const { status, evidence, because } = progress;
  return status === "open"
    ? { ...rest, status, evidence: [] }
    : { ...rest, status, evidence, because };
}

function applyAnswer(state: RunState, draft: AnswerDraft, author: Author, tell: Tell): RunState {
  const evidence = draft.evidence ?? [];
  refuseForgedEvidence(state, evidence, author.stage);
  const answer = {
    text: draft.text,
    value: draft.value ?? null,
    reasoning: draft.reasoning ?? "",
    evidence,
    solvable: draft.solvable ?? true,
    unsolvableReason: draft.unsolvableReason ?? "",
    revision: state.answer.revision + 1,
    by: author.stage,
  };
  const { reasoning: _, unsolvableReason: __, ...told } = answer;
  tell(answer.revision === 1 ? "answer.given" : "answer.revised", told);
  const isStale = state.verdict.outcome !== "none";
  const verdict = isStale ? { ...state.verdict, outcome: "stale" as const } : state.verdict;
  return { ...state, answer, verdict };
}

function applyVerdict(state: RunState, draft: VerdictDraft, tell: Tell): RunState {
  const verdict = {
    outcome: draft.outcome,
    issues: draft.issues,
    supportedEvidence: draft.supportedEvidence ?? [],
    answerRevision: state.answer.revision,
    revised: draft.revised ?? state.verdict.revised,
  };
  tell("verdict.given", {
    outcome: draft.outcome,
    issues: draft.issues,
    answerRevision: verdict.answerRevision,
  });
  return { ...state, verdict };
}

function refuseForgedEvidence(state: RunState, evidence: readonly string[], stage: string): void {
  if (evidence.length === 0) return;
  const known = evidenceIds(state.observations);
  const forged = evidence.filter((id) => !known.has(id));
  if (forged.length === 0) return;
  throw new InternalError(
    "evidence-unknown",
    `stage \`${stage}\` names evidence that was never observed: ${forged.join(", ")}; only ids of recorded observations count`,
    { details: { forged, stage } },
  );
}
