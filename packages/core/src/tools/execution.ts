import type { Scope } from "../events/scope.ts";
import type { Frame } from "../run/run-scope.ts";
import type { KnownCall } from "./known-call.ts";

/** One execution of a call. */
export interface Execution {
  readonly frame: Frame;
  readonly scope: Scope;
  readonly known: KnownCall;
  /** Ends it: the frame's signal, or the tool's own time. */
  readonly signal: AbortSignal;
  /** Counts what people were asked over all attempts, so that each question has a key of its own. */
  readonly asked: { count: number };
  /** True when an attempt was left behind, or broke off after it had begun to change something: what it did is not known. */
  isUnsure: boolean;
}
