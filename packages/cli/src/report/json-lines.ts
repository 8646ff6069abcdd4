import { type CheckedSpec, findingsOf } from "./checked-spec.ts";

/** The findings as JSON, one object a line; lines and columns count from 1. */
export function jsonLines(checked: readonly CheckedSpec[]): string {
  return findingsOf(checked)
    .map(({ file, line, column, code, severity, message, path, suggestion }) =>
      JSON.stringify({ file, line, column, code, severity, message, path, suggestion }),
    )
    .map((line) => `${line}\n`)
    .join("");
}
