import type { ConstraintLayer } from "./provider.ts";
import type { Dialect } from "./schema-dialect.ts";
import type { Ending, Fault, ScopeOutcome, Spending } from "./event-parts.ts";
import type { FinishReason, Message, ToolCall, Usage } from "./message.ts";
import type { Json, JsonObject } from "./json.ts";

/** What opens and closes: the run, its stages and steps, the calls of models and tools. */
export interface ScopeEvents {
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
}
