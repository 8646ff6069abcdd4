import type { Json, JsonObject } from "../contracts/json.ts";
import type { Answer, Issue, RunState, Verdict } from "../contracts/state.ts";

/** The state as expressions and templates see it: plain JSON with the derived booleans of the spec language. */
export function stateView(state: RunState): JsonObject {
  const { plan, verdict } = state;
  return {
    task: {
      ...state.task,
      constraints: state.task.constraints.map(({ id, text }) => ({ id, text })),
    },
    inputs: state.task.inputs,
    plan: { ...(plan as unknown as JsonObject), hasConflicts: plan.conflicts.length > 0 },
    observations: state.observations as unknown as Json,
    answer: answerView(state.answer),
    verdict: verdictView(verdict),
    candidates: state.candidates.map((candidate) => ({ score: null, value: null, ...candidate })),
    lessons: state.lessons as unknown as Json,
    results: resultsView(state),
  };
}

function answerView(answer: Answer): JsonObject {
  return answer as unknown as JsonObject;
}

function verdictView(verdict: Verdict): JsonObject {
  const needs = (what: Issue["needs"]): boolean =>
    verdict.issues.some((issue) => issue.needs === what);
  return {
    outcome: verdict.outcome,
    issues: verdict.issues as unknown as Json,
    supportedEvidence: verdict.supportedEvidence,
    revised: verdict.revised,
    passed: verdict.outcome === "pass",
    needsEvidence: needs("evidence"),
    needsPlan: needs("plan"),
    needsPerson: needs("person"),
    needsRewrite: needs("rewrite"),
  };
}

function resultsView(state: RunState): JsonObject {
  return Object.fromEntries(
    Object.entries(state.results).map(([id, result]) => [
      id,
      { ...result, answer: answerView(result.answer) },
    ]),
  );
}
