import type { CompiledProgram, DeadLetter } from "@loopwright/core";
import { letterOf, type RowInput, type RunEnd } from "./run-row.ts";

/** A row without a value. */
export interface BuriedRow {
  readonly letter: DeadLetter;
  readonly isLettered: boolean;
  readonly rejected: readonly string[];
}

/** The letter that stands for a row without a value; core may have written it. */
export function buriedRow(
  compiled: CompiledProgram,
  item: Pick<RowInput, "input" | "origin">,
  end: Exclude<RunEnd, { readonly kind: "value" }>,
): BuriedRow {
  if (end.kind === "refused") {
    const letter = letterOf(compiled, item, { code: "input-invalid", message: end.message });
    return { letter, isLettered: false, rejected: [] };
  }
  const { outcome, rejected, isLettered } = end;
  const { code, message } = outcome.fault ?? {
    code: outcome.outcome,
    message: outcome.reason ?? "the run left no value",
  };
  const letter = letterOf(compiled, item, { code, message }, end);
  return { letter, isLettered, rejected };
}
