import type { Answer, Plan, RunState, StageResult, Task, Verdict } from "../contracts/state.ts";
import type { CompiledStage } from "../program/program.ts";

const NO_PLAN: Plan = { goal: "", constraints: [], conflicts: [], steps: [] };

/** The answer before one is given. */
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
export function neutralState(task: Task, stages: Iterable<CompiledStage>): RunState {
  return {
    task,
    plan: NO_PLAN,
    planRevision: 0,
    observations: [],
    answer: NO_ANSWER,
    verdict: NO_VERDICT,
    candidates: [],
    lessons: [],
    results: Object.fromEntries([...stages].map((stage) => [stage.id, neutralResult(stage)])),
  };
}

/** The result of a stage that leaves a list is an empty list before it runs. */
function neutralResult({ definition }: CompiledStage): StageResult {
  return definition.result === "list" ? { ...NO_RESULT, items: [] } : NO_RESULT;
}
