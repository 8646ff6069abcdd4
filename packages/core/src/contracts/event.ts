import type { Json, JsonObject } from "./json.ts";
import type { FinishReason, Message, ToolCall, Usage } from "./message.ts";
import type { ConstraintLayer } from "./provider.ts";
import type { Dialect } from "./schema-dialect.ts";
import type { Issue, Lesson, Plan } from "./state.ts";

/** How a scope ended. */
export type ScopeOutcome = "done" | "failed" | "limited" | "aborted" | "skipped";

/** How a run ended, and what it leaves. */
export type Ending = "done" | "failed" | "limited" | "aborted";

/** What went wrong, as plain data. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  /** Only at a call that was not sent. */
  readonly details?: FaultDetails;
}

/** Why a call was held back: its endpoint rests after failures (`restMs`), or asked to wait (`waitMs`); 0 while one call tries. */
export interface FaultDetails {
  readonly isHeldBack: true;
  readonly restMs?: number;
  readonly waitMs?: number;
}

/** What a run has used so far; `usd` is 0 where no model has a price. */
export interface Spending {
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly usage: Usage;
  readonly usd: number;
}

/** The catalogue: every event by name with its data. Scopes are `<noun>.start|delta|end`, facts are past participles. */
export interface EventData {
  "run.start": {
    readonly spec: string;
    readonly version: string;
    readonly programHash: string;
    readonly task: string;
    readonly inputs: JsonObject;
  };
  "run.end": {
    readonly outcome: Ending;
    readonly verified: "pass" | "revise" | "fail" | "stale" | "none";
    readonly answer: {
      readonly text: string;
      readonly value: Json;
      readonly evidence: readonly string[];
      readonly solvable: boolean;
      /** Why there is no solution; empty where there is one. */
      readonly unsolvableReason: string;
    };
    readonly spending: Spending;
    readonly durationMs: number;
    readonly reason?: string;
    readonly fault?: Fault;
  };
  "stage.start": { readonly strategy: string; readonly path: string };
  "stage.end": {
    readonly strategy: string;
    readonly outcome: ScopeOutcome;
    readonly fault?: Fault;
  };
  "step.start": { readonly index: number; readonly max: number };
  "step.end": { readonly index: number; readonly outcome: ScopeOutcome };
  "model-call.start": {
    readonly model: string;
    readonly voice: string;
    readonly messages: readonly Message[];
    /** How many messages of the conversation stand in earlier events. */
    readonly messagesBefore: number;
    readonly tools: readonly string[];
    readonly schema?: string;
    /** How the schema is asked for. */
    readonly layer?: ConstraintLayer;
    readonly requestHash: string;
  };
  "model-call.delta": { readonly kind: "text" | "reasoning"; readonly text: string };
  "model-call.end": {
    readonly model: string;
    readonly outcome: ScopeOutcome;
    readonly text: string;
    readonly reasoning: string;
    readonly toolCalls: readonly ToolCall[];
    readonly opaque?: JsonObject;
    readonly finishReason?: FinishReason;
    /** The dialect whose form the text has, where the schema was asked for in one. */
    readonly dialect?: Dialect;
    readonly usage: Usage;
    /** True where the endpoint told no counts: the usage, and what follows from it, is an estimate on the high side. */
    readonly isUsageEstimated?: boolean;
    readonly usd: number;
    readonly durationMs: number;
    readonly fault?: Fault;
  };
  "tool-call.start": { readonly tool: string; readonly callId: string; readonly arguments: string };
  "tool-call.end": {
    readonly tool: string;
    readonly callId: string;
    readonly outcome: ScopeOutcome;
    readonly cached: boolean;
    readonly durationMs: number;
    readonly fault?: Fault;
  };
  "plan.made": { readonly plan: Plan };
  "plan.revised": { readonly plan: Plan };
  "observation.recorded": {
    readonly id: string;
    readonly tool: string;
    readonly input: Json;
    readonly content: string;
    readonly ok: boolean;
    readonly degraded: boolean;
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
  "output.repaired": { readonly repairs: readonly string[] };
  "output.rejected": {
    readonly code: string;
    readonly message: string;
    readonly attempt: number;
    readonly attempts: number;
  };
  /** A call that failed and is made once more, by the same model or by the next of its fallbacks. */
  "call.retried": {
    readonly model: string;
    readonly nextModel: string;
    readonly fault: Fault;
    /** How often the model was tried, from 1, of how often it may be. */
    readonly attempt: number;
    readonly attempts: number;
    readonly waitMs: number;
  };
  /** A call that waits before it goes out: for a rate of its account, for calls under way, or because the endpoint asked to. */
  "call.delayed": {
    readonly model: string;
    readonly reason: "requests" | "tokens" | "parallel" | "retry-after";
    readonly waitMs: number;
  };
  /** An endpoint failed so often with a model that no call goes there for a while. */
  "breaker.opened": {
    readonly model: string;
    readonly failures: number;
    readonly restMs: number;
  };
  /** An endpoint said that it lacks a layer; its model is asked on a lower one from now on. */
  "constraint.lowered": {
    readonly model: string;
    readonly from: ConstraintLayer;
    readonly to: ConstraintLayer;
    readonly reason: string;
  };
  /** Parts of a schema that the endpoint's dialect can't say: they stand in the prompt, and the reply is held to them. */
  "constraint.loosened": {
    readonly model: string;
    readonly schema: string;
    readonly dialect: string;
    readonly parts: readonly string[];
  };
  /** A run without a valid answer was written to the dead letters. */
  "output.dead-lettered": {
    readonly file: string;
    readonly code: string;
    readonly attempts: number;
  };
  "loop.detected": { readonly tool: string; readonly times: number };
  "limit.reached": {
    readonly limit: string;
    readonly soft: boolean;
    readonly used: number;
    readonly max: number;
  };
  "approval.requested": {
    readonly id: string;
    readonly tool: string;
    readonly input: Json;
    readonly reason: string;
  };
  "approval.given": {
    readonly id: string;
    readonly tool: string;
    readonly approved: boolean;
    readonly by: "person" | "policy" | "no-terminal";
    readonly reason: string;
  };
  "question.asked": {
    readonly id: string;
    readonly question: string;
    readonly options: readonly string[];
  };
  "question.answered": {
    readonly id: string;
    readonly answered: boolean;
    readonly reply: string;
    readonly by: "person" | "timeout" | "no-terminal";
  };
  "effect.stubbed": { readonly tool: string; readonly input: Json };
  "sink.failed": { readonly sink: string; readonly message: string };
  "events.dropped": { readonly sink: string; readonly count: number };
  /** A strategy's own fact, told with `context.fact`. */
  "fact.told": { readonly fact: string; readonly data: Json };
}

/** The name of an event. */
export type EventName = keyof EventData;

/** What every event carries; `time` is milliseconds since the epoch, `seq` counts from 0 within a run. */
export interface EventEnvelope<N extends EventName> {
  readonly v: 1;
  readonly id: string;
  readonly seq: number;
  readonly time: number;
  readonly runId: string;
  /** The scope the event opens, closes or belongs to. */
  readonly spanId: string;
  readonly parentId: string;
  /** The step key: equal on every replay of the run. */
  readonly key: string;
  readonly stage: string;
  readonly name: N;
  readonly data: EventData[N];
}

/** Any event of a run. */
export type RunEvent = { readonly [N in EventName]: EventEnvelope<N> }[EventName];
