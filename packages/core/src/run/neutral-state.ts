import type { Answer, Plan, RunState, StageResult, Task, Verdict } from "../contracts/state.ts";

const NO_PLAN: Plan = { goal: "", constraints: [], conflicts: [], steps: [] };

const NO_ANSWER: Answer = {
  text: "",
  value: null,
  reasoning: "",
  evidence: [],
  solvable: true,
  unsolvableReason: "",
  revision: 0,
  by: "",
};

const NO_VERDICT: Verdict = {
  outcome: "none",
  issues: [],
  supportedEvidence: [],
  answerRevision: 0,
  revised: false,
};

/** What a stage has produced before it ran. */
export const NO_RESULT: StageResult = {
  ran: false,
  outcome: "none",
  text: "",
  value: null,
  answer: NO_ANSWER,
  answered: false,
  reply: "",
};

/** The state of a run before its first stage. */
export function neutralState(task: Task, stageIds: Iterable<string>): RunState {
  return {
    task,
    plan: NO_PLAN,
    planRevision: 0,
    observations: [],
    answer: NO_ANSWER,
    verdict: NO_VERDICT,
    candidates: [],
    lessons: [],
    results: Object.fromEntries([...stageIds].map((id) => [id, NO_RESULT])),
  };
}
