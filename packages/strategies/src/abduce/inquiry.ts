import { type Observation, observationText } from "@loopwright/core/plugin";
import { checkLine, type ProposedCheck } from "./checks.ts";
import { type Hypothesis, NONE_ID, statusOf } from "./hypotheses.ts";

/** A check that was made, and what it brought. */
export interface MadeCheck {
  readonly check: ProposedCheck;
  readonly observation: Observation;
}

/** Where an inquiry stands. */
export interface Inquiry {
  hypotheses: readonly Hypothesis[];
  made: readonly MadeCheck[];
  /** What could be checked next: proposed, and not made. */
  passedOver: readonly ProposedCheck[];
}

/** Hypotheses with how they stand, as a model reads them. */
export function hypothesisLines(hypotheses: readonly Hypothesis[]): string {
  const lines = hypotheses.map((one) => {
    const evidence = [...one.supportedBy, ...one.refutedBy].map((id) => `[${id}]`).join(" ");
    const status = [statusOf(one), evidence].filter((part) => part !== "").join(" ");
    const predicts = one.id === NONE_ID || one.predicts === "" ? "" : ` → ${one.predicts}`;
    return `- ${one.id} (${status}): ${one.text}${predicts}`;
  });
  return lines.length === 0 ? "-" : lines.join("\n");
}

/** The checks that were made, each with its result. */
export function madeLines(made: readonly MadeCheck[]): string {
  const lines = made.map(
    ({ check, observation }) => `- ${checkLine(check)}\n${observationText(observation)}`,
  );
  return lines.length === 0 ? "-" : lines.join("\n");
}
