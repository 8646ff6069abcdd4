import type { Issue, Lesson, Plan, PlanProgress } from "./state.ts";
import type { Json } from "./json.ts";

/** Facts about the work itself: plans, observations, answers, verdicts, lessons; and about those who listen. */
export interface WorkEvents {
  "plan.made": { readonly plan: Plan };
  "plan.revised": { readonly plan: Plan };
  /** A step of the plan ended, or is open again. */
  "plan-step.ended": PlanProgress;
  /** What a model thought before it acted: a clue, never evidence, and no proof of what was done. */
  "thought.given": { readonly text: string; readonly isEvidence: false };
  /** What a model chose to do, and what it considered and did not choose. */
  "choice.made": {
    readonly chosen: string;
    readonly considered: readonly { readonly option: string; readonly reason: string }[];
  };
  "observation.recorded": {
    readonly id: string;
    readonly tool: string;
    readonly input: Json;
    readonly content: string;
    readonly ok: boolean;
    readonly degraded: boolean;
    readonly isThought?: true;
    readonly notes?: readonly string[];
  };
  "answer.given": {
    readonly text: string;
    readonly value: Json;
    readonly evidence: readonly string[];
    readonly revision: number;
    readonly by: string;
    readonly solvable: boolean;
  };
  "answer.revised": {
    readonly text: string;
    readonly value: Json;
    readonly evidence: readonly string[];
    readonly revision: number;
    readonly by: string;
    readonly solvable: boolean;
  };
  "verdict.given": {
    readonly outcome: "pass" | "revise" | "fail";
    readonly issues: readonly Issue[];
    readonly answerRevision: number;
    readonly unchecked?: readonly string[];
  };
  "lessons.recalled": { readonly memory: string; readonly lessons: readonly Lesson[] };
  "lesson.learned": { readonly memory: string; readonly lesson: Lesson };
  "lesson.refused": { readonly memory: string; readonly lesson: string; readonly reason: string };
  /** A memory, or a part of it, that can't be read or written; the run goes on without those lessons. */
  "memory.failed": { readonly memory: string; readonly code: string; readonly message: string };
  "vote.counted": {
    readonly votes: readonly { readonly answer: string; readonly count: number }[];
    readonly winner: string;
    readonly samples: number;
    readonly counted: number;
  };
  "sink.failed": { readonly sink: string; readonly message: string };
  "events.dropped": { readonly sink: string; readonly count: number };
  /** A strategy's own fact, told with `context.fact`. */
  "fact.told": { readonly fact: string; readonly data: Json };
}
