import type { DiagnosticCode } from "./diagnostic-codes.ts";
import { maxDepth } from "./spec-node.ts";

/** Something found at a range of offsets of a YAML text. */
export interface YamlFinding {
  readonly code: DiagnosticCode;
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly suggestion?: string;
  readonly notes?: readonly string[];
}

/** The finding of values that are nested too deep. */
export function tooDeep(start: number, end: number): YamlFinding {
  return {
    code: "LW-YAML-DEPTH",
    start,
    end,
    message: `values are nested deeper than ${maxDepth} levels`,
    suggestion: "write it flatter, or move the inner values to a file of their own",
  };
}
