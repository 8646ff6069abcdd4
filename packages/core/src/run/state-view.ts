import type { Json, JsonObject } from "../contracts/json.ts";
import type { Answer, Issue, Plan, RunState, StageResult, Verdict } from "../contracts/state.ts";
import type { Frame } from "./run-scope.ts";

/** What expressions and templates see in a frame: its state, and the names that the slots around it bind. */
export function frameView({ state, bindings }: Pick<Frame, "state" | "bindings">): JsonObject {
  return { ...stateView(state), ...bindings };
}

/** The state as expressions and templates see it: plain JSON with the derived booleans of the spec language. */
function stateView(state: RunState): JsonObject {
  const { plan, verdict } = state;
  return {
    task: {
      part: "",
      ...state.task,
      constraints: state.task.constraints.map(({ id, text }) => ({ id, text })),
    },
    inputs: state.task.inputs,
    plan: planView(plan),
    observations: state.observations as unknown as Json,
    answer: answerView(state.answer),
    verdict: verdictView(verdict),
    candidates: state.candidates.map((candidate) => ({ score: null, value: null, ...candidate })),
    lessons: state.lessons as unknown as Json,
    results: resultsView(state),
  };
}

function planView(plan: Plan): JsonObject {
  return {
    tradeoffs: [],
    ...(plan as unknown as JsonObject),
    hasConflicts: plan.conflicts.length > 0,
    steps: plan.steps.map((step) => ({ because: "", ...step })),
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
    Object.entries(state.results).map(([id, result]) => [id, resultView(result)]),
  );
}

/** A stage that leaves a list is seen as that list. */
function resultView(result: StageResult): Json {
  return (result.items ?? result) as unknown as Json;
}
