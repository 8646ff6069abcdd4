import type { Diagnostic } from "@loopwright/core";
import { type CheckedSpec, findingsOf } from "./checked-spec.ts";

/** The findings as JSON, one object a line; lines and columns count from 1. */
export function jsonLines(checked: readonly CheckedSpec[]): string {
  return findingsOf(checked)
    .map((found) => `${JSON.stringify(lineOf(found))}\n`)
    .join("");
}

/** What is not there is left out of the line. */
function lineOf(found: Diagnostic): object {
  const { file, line, column, endColumn, code, severity, message, path, suggestion, notes } = found;
  return { file, line, column, endColumn, code, severity, message, path, suggestion, notes };
}
