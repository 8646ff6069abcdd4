import type { CheckResult, Diagnostic } from "@loopwright/core";
import { fromHere } from "../diagnostic-text.ts";

/** A spec with what its check came to. */
export interface CheckedSpec {
  /** As the command line names it. */
  readonly spec: string;
  /** The project root, absolute. */
  readonly root: string;
  readonly result: CheckResult;
}

/** Every finding of several checks, with paths from the working folder; what two specs share, as a base, is told once. */
export function findingsOf(checked: readonly CheckedSpec[]): readonly Diagnostic[] {
  const found = checked.flatMap(({ result, root }) =>
    result.diagnostics.map((one) => fromHere(one, root)),
  );
  const unique = new Map(
    found.map((one) => [
      JSON.stringify([one.file, one.line, one.column, one.code, one.message]),
      one,
    ]),
  );
  return [...unique.values()];
}

/** Whether a finding stands in a file; `--set` and `--model` are places too. */
export function isInFile({ file }: Diagnostic): boolean {
  return !file.startsWith("--");
}

/** The message of a finding with its notes and its repair, a line each. */
export function fullMessage({ message, notes, suggestion }: Diagnostic): string {
  const repair = suggestion === undefined ? [] : [`fix: ${suggestion}`];
  return [message, ...(notes ?? []).map((note) => `note: ${note}`), ...repair].join("\n");
}
