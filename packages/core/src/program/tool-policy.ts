import type { Effect } from "../contracts/tool.ts";
import type { Expression } from "../spec/text/expression.ts";
import type { Limits } from "./limits.ts";

/** The policies of a tool, every level applied; times in milliseconds. */
export interface ToolPolicy {
  readonly effect: Effect;
  readonly approval: "never" | "always" | { readonly when: Expression };
  readonly deny?: Expression;
  readonly timeoutMs: number;
  /** How long a result of the same call is reused; only for `read`. */
  readonly cacheMs: number;
  /** Characters of an observation, at most. */
  readonly maxResult: number;
  /** Text, or the name of another tool, that stands in when the tool fails. */
  readonly fallback?: { readonly text: string } | { readonly tool: string };
  /** The same call with the same result so often in one run is a loop. */
  readonly repeat: number;
  /** Attempts, and the wait before the first and the longest wait between them. */
  readonly retry?: { readonly attempts: number; readonly firstMs: number; readonly maxMs: number };
  readonly rateLimit?: { readonly count: number; readonly perMs: number };
  /** So many failures in a row stop all calls for a time. */
  readonly breaker?: { readonly failures: number; readonly restMs: number };
  /** Calls of other tools that must lie between two calls of this one with the same arguments. */
  readonly coolDown?: number;
  /** True where asking again for the same is honest waiting, not a loop. */
  readonly polls?: boolean;
  readonly maxParallel?: number;
  readonly limits?: Limits;
  /** How long an approval that was asked for is waited for. */
  readonly expiresMs?: number;
  /** Why approval is asked for, as the person reads it. */
  readonly reason?: string;
}
