import type { Answer, RunState, Task, Verdict } from "@loopwright/core/plugin";

/** What a test says about a state; the rest is neutral, as at the start of a run. */
export interface StateChanges extends Partial<Omit<RunState, "answer" | "task" | "verdict">> {
  readonly answer?: Partial<Answer>;
  readonly task?: Partial<Task>;
  readonly verdict?: Partial<Verdict>;
}

/** The state of a run before its first stage, with changes. */
export function runState(changes: StateChanges = {}): RunState {
  const { answer, task, verdict, ...rest } = changes;
  return {
    plan: { goal: "", constraints: [], conflicts: [], steps: [] },
    planRevision: 0,
    observations: [],
    candidates: [],
    lessons: [],
    results: {},
    ...rest,
    task: { text: "", inputs: {}, mission: "", deliverable: "", constraints: [], ...task },
    answer: {
      text: "",
      value: null,
      reasoning: "",
      evidence: [],
      solvable: true,
      unsolvableReason: "",
      revision: answer === undefined ? 0 : 1,
      by: "",
      ...answer,
    },
    verdict: {
      outcome: "none",
      issues: [],
      supportedEvidence: [],
      answerRevision: 0,
      revised: false,
      ...verdict,
    },
  };
}
