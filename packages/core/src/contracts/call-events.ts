import type { ArgumentChange, Fault, InjectionKind } from "./event-parts.ts";
import type { ConstraintLayer } from "./provider.ts";
import type { Effect } from "./tool.ts";
import type { Json } from "./json.ts";

/** Facts about calls of models and tools: what was made again, read otherwise, held back or stopped. */
export interface CallEvents {
  /** What a tool returned reads like instructions, or hides something; it stays data, and nothing is done about it. */
  "injection.suspected": {
    readonly tool: string;
    readonly observation: string;
    readonly kinds: readonly InjectionKind[];
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
  /** A call of a tool that failed and is made once more. */
  "tool.retried": {
    readonly tool: string;
    readonly fault: Fault;
    /** How often it was tried, from 1, of how often it may be. */
    readonly attempt: number;
    readonly attempts: number;
    readonly waitMs: number;
  };
  /** A call of a tool that waits before it is made: for the tool's rate, or for other calls of it. */
  "tool.delayed": {
    readonly tool: string;
    readonly reason: "rate" | "parallel";
    readonly waitMs: number;
  };
  /** A tool failed so often in a row that it is not called for a while. */
  "tool.rested": { readonly tool: string; readonly failures: number; readonly restMs: number };
  /** Arguments that were read as something else than they said; an empty path means the whole of them. */
  "arguments.normalized": {
    readonly tool: string;
    readonly callId: string;
    readonly changes: readonly ArgumentChange[];
  };
  /** Calls that bring nothing more: the model is given a hint, then its stage works without tools. */
  "loop.detected": {
    readonly tool: string;
    readonly times: number;
    /** The tools of a cycle, where the loop is one. */
    readonly cycle?: readonly string[];
    readonly measure: "hint" | "tools-off";
  };
  "limit.reached": {
    readonly limit: string;
    readonly soft: boolean;
    readonly used: number;
    readonly max: number;
  };
  /** What a set of tools offers in this run, by name in the order of its list; `dropped` counts those that can't be used. */
  "tools.listed": {
    readonly set: string;
    readonly tools: readonly {
      readonly name: string;
      readonly effect: Effect;
      /** By what its description looks like an attempt to steer the model. */
      readonly suspect?: readonly InjectionKind[];
    }[];
    readonly dropped: number;
  };
  /** A set could not say its tools; it is asked once more. */
  "tools.unlisted": { readonly set: string; readonly message: string };
  /** What is odd about the source of a set, and does no harm. */
  "tools.noted": { readonly set: string; readonly message: string };
  /** A tool that a set listed can't be used. */
  "tool.dropped": { readonly set: string; readonly tool: string; readonly reason: string };
  "effect.stubbed": { readonly tool: string; readonly input: Json };
}
