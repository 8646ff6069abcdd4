import type { Json, JsonObject } from "./json.ts";
import type { Message } from "./message.ts";

/** A hard condition on the answer; `rule` is a CEL expression that decides it without a model. */
export interface Constraint {
  readonly id: string;
  readonly text: string;
  readonly rule?: string;
}

/** What a run is asked to do. */
export interface Task {
  readonly text: string;
  readonly inputs: JsonObject;
  readonly mission: string;
  readonly deliverable: string;
  readonly constraints: readonly Constraint[];
  /** Of a stage that does one part of a larger task: which part it is, and what the parts it builds on came to. */
  readonly part?: string;
}

/** One step of a plan; `evidence` holds observation ids. */
export interface PlanStep {
  readonly id: string;
  readonly objective: string;
  readonly needsExternalInfo: boolean;
  readonly successCondition: string;
  readonly dependsOn: readonly string[];
  readonly status: "open" | "done" | "failed";
  readonly evidence: readonly string[];
  /** How its success condition is met, or why it can't be; missing while it is open. */
  readonly because?: string;
}

/** What is to be done, in order; empty before a plan is made. */
export interface Plan {
  readonly goal: string;
  readonly constraints: readonly string[];
  /** Wishes that cannot all be met and that a person must decide, each with the price of either side. */
  readonly conflicts: readonly string[];
  /** How the other conflicts are settled, and what gave way. */
  readonly tradeoffs?: readonly string[];
  readonly steps: readonly PlanStep[];
}

/** The recorded result of a tool call; `content` is untrusted text from outside. */
export interface Observation {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
  readonly content: string;
  readonly ok: boolean;
  /** True when a declared fallback stands in for the tool's own result. */
  readonly degraded: boolean;
  /** True for a thought of the model's own: a clue, never evidence. */
  readonly isThought?: true;
  /** What core says about the call: that a person changed its arguments, for instance. No tool can write one. */
  readonly notes?: readonly string[];
}

/**
 * The answer so far. `text` is what a person reads, `value` the typed value where the spec declares an output,
 * `reasoning` the text that led there, `evidence` observation ids, `revision` counts from 1 (0: no answer yet).
 */
export interface Answer {
  readonly text: string;
  readonly value: Json;
  readonly reasoning: string;
  readonly evidence: readonly string[];
  readonly solvable: boolean;
  readonly unsolvableReason: string;
  readonly revision: number;
  readonly by: string;
}

/** The four kinds every judge knows; a check may bring its own. */
export type IssueKind =
  | "unsupported-claim"
  | "missed-constraint"
  | "contradiction"
  | "incomplete"
  | (string & {});

/** A fault found in an answer; `needs` routes the work that mends it. */
export interface Issue {
  readonly kind: IssueKind;
  readonly detail: string;
  readonly requiredAction: string;
  readonly needs: "rewrite" | "evidence" | "plan" | "person";
}

/** What a verification found; `stale` when the answer is newer than the verdict. */
export interface Verdict {
  readonly outcome: "none" | "pass" | "revise" | "fail" | "stale";
  readonly issues: readonly Issue[];
  readonly supportedEvidence: readonly string[];
  readonly answerRevision: number;
  /** True when a `verify` stage changed the answer at least once. */
  readonly revised: boolean;
}

/** One of several answers under consideration. */
export interface Candidate {
  readonly id: string;
  readonly parent?: string;
  readonly text: string;
  readonly value?: Json;
  readonly score?: number;
  readonly evidence: readonly string[];
  readonly by: string;
}

/** A reusable experience. Times are ISO 8601. */
export interface Lesson {
  readonly id: string;
  readonly trigger: string;
  readonly failurePattern: string;
  readonly lesson: string;
  readonly avoid: string;
  /** The run that taught it. */
  readonly source: string;
  readonly time: string;
  /** The spec it belongs to. */
  readonly scope: string;
  readonly uses: number;
  readonly expires?: string;
}

/** The conversation of an acting stage. */
export interface Thread {
  readonly by: string;
  readonly model: string;
  readonly messages: readonly Message[];
  /** What the thread has been told already. */
  readonly seen: {
    readonly answerRevision: number;
    readonly verdictRevision: number;
    readonly planRevision: number;
  };
}

/** What one stage of the program produced; neutral before it runs. */
export interface StageResult {
  readonly ran: boolean;
  readonly outcome: "none" | "done" | "failed" | "limited" | "skipped";
  readonly text: string;
  readonly value: Json;
  readonly answer: Answer;
  /** For `ask`: whether a person replied, and what. */
  readonly answered: boolean;
  readonly reply: string;
  /** Of a strategy whose `result` is a list: what expressions and templates see as `results.<id>`. */
  readonly items?: readonly ItemResult[];
}

/** What a run knows so far; total: every field is there from the start with a neutral value. */
export interface RunState {
  readonly task: Task;
  readonly plan: Plan;
  /** Counts the plans made, from 0. */
  readonly planRevision: number;
  readonly observations: readonly Observation[];
  readonly answer: Answer;
  readonly verdict: Verdict;
  readonly candidates: readonly Candidate[];
  readonly lessons: readonly Lesson[];
  readonly thread?: Thread;
  readonly results: Readonly<Record<string, StageResult>>;
}

/** An answer as a strategy gives it; core stamps `revision` and `by`. */
export interface AnswerDraft {
  readonly text: string;
  readonly value?: Json;
  readonly reasoning?: string;
  readonly evidence?: readonly string[];
  readonly solvable?: boolean;
  readonly unsolvableReason?: string;
}

/** A verdict as a strategy gives it; core stamps `answerRevision`. */
export interface VerdictDraft {
  readonly outcome: "pass" | "revise" | "fail";
  readonly issues: readonly Issue[];
  readonly supportedEvidence?: readonly string[];
  readonly revised?: boolean;
}

/** A thread as a strategy gives it; core stamps the rest. */
export interface ThreadDraft {
  readonly messages: readonly Message[];
}

/** How one step of the plan ended; `evidence` holds observation ids, `because` says how its success condition is met or why it can't be, and is kept as one line of at most 300 characters. */
export interface PlanProgress {
  readonly step: string;
  readonly status: "done" | "failed" | "open";
  readonly evidence: readonly string[];
  readonly because: string;
}

/** Only what a stage sets; core applies it to the state. */
export interface StateChange {
  readonly plan?: Plan;
  /** Steps of the plan that ended, or that are open again; the plan itself stays. */
  readonly progress?: readonly PlanProgress[];
  readonly answer?: AnswerDraft;
  readonly verdict?: VerdictDraft;
  readonly thread?: ThreadDraft;
  readonly candidates?: readonly Omit<Candidate, "by">[];
  /** What the stage leaves under `results.<id>`, beside its answer. */
  readonly result?: {
    readonly answered?: boolean;
    readonly reply?: string;
    readonly value?: Json;
    /** Of a strategy whose `result` is a list: the whole list. */
    readonly items?: readonly ItemResult[];
    /** Why the answer of this change had to be given before the work was done; the run says so where that answer stands. */
    readonly cutShort?: string;
  };
}

/** What a repeated slot came to for one item of its list. */
export interface ItemResult {
  readonly key: string;
  readonly item: Json;
  /** What was asked for this item. */
  readonly task: string;
  readonly ok: boolean;
  /** Why it failed, was left out, or was cut short though it is `ok`; empty otherwise. */
  readonly reason: string;
  readonly answer: Answer;
  readonly text: string;
  readonly value: Json;
}

/** The fields a strategy may read or write, as its `flow` names them. */
export type StateField =
  | "plan"
  | "observations"
  | "answer"
  | "verdict"
  | "candidates"
  | "lessons"
  | "thread";
