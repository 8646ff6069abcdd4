import type { Json } from "./json.ts";
import type { Usage } from "./message.ts";

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

/** What makes a tool's result suspect, as `docs/spec.md` tells them apart. */
export type InjectionKind =
  | "override"
  | "role"
  | "fence"
  | "approval"
  | "limits"
  | "tool-call"
  | "secrets"
  | "terminal"
  | "hidden"
  | "encoded";

/** A part of a call's arguments that was read as something else than it said. */
export interface ArgumentChange {
  /** Like `stops[0].city`; empty for the whole. */
  readonly path: string;
  readonly from: Json;
  readonly to: Json;
}

/** What a run has used so far; `usd` is 0 where no model has a price. */
export interface Spending {
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly usage: Usage;
  readonly usd: number;
}
