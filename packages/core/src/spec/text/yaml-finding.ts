import type { DiagnosticCode } from "./diagnostic-codes.ts";

/** Something found at a range of offsets of a YAML text. */
export interface YamlFinding {
  readonly code: DiagnosticCode;
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly suggestion?: string;
  readonly notes?: readonly string[];
}
