import type { DiagnosticCode } from "../diagnostic-codes.ts";

/** Why a diagnostic matters, with a spec that has the mistake and one that has not. */
export interface DiagnosticExample {
  /** One or two sentences. */
  readonly why: string;
  /** A whole spec, or the keys that matter. */
  readonly wrong: string;
  readonly right: string;
}

/** The codes that begin with a prefix like `LW-YAML`. */
export type CodesOf<Prefix extends string> = Extract<DiagnosticCode, `${Prefix}-${string}`>;
