import type { RunOutcome } from "@loopwright/core";
import { neutralize } from "./neutralize.ts";
import type { PerformedRun } from "./perform-run.ts";

/** What `--json` prints of a run. */
export function outcomeJson({ runId, outcome: ended, stubbed }: PerformedRun): object {
  const { outcome, verified, value, answer, spending, durationMs, reason, fault } = ended;
  const { text, evidence, solvable, unsolvableReason } = answer;
  return {
    outcome,
    verified,
    value,
    answer: { text, evidence, solvable, unsolvableReason },
    spending,
    durationMs,
    ...(reason === undefined ? {} : { reason }),
    ...(fault === undefined ? {} : { fault }),
    ...(stubbed === undefined ? {} : { stubbed }),
    runId,
  };
}

/** The answer as a person reads it: the value where one is declared, else the text. */
export function answerText({ answer, value }: RunOutcome): string {
  const isValue = typeof value === "object" && value !== null;
  const text = isValue ? JSON.stringify(value, null, 2) : answer.text;
  return neutralize(text.trim());
}

/** How a run ended, where that must be said; `isUnanswered` where nobody answered the question that it ended at. */
export function endingText(
  { outcome, verified, answer, reason }: RunOutcome,
  isUnanswered: boolean = false,
): string {
  const why = reason === undefined ? "" : neutralize(reason.trim());
  if (outcome !== "done") return `the run ended ${outcome}${why === "" ? "" : `: ${why}`}`;
  if (!answer.solvable) return `no solution: ${neutralize(answer.unsolvableReason ?? "")}`;
  if (isUnanswered) return `the run stopped at a question that nobody answered; ${STOOD}`;
  if (why.startsWith(CUT_SHORT)) return why;
  if (why !== "") return `the run stopped: ${why}; ${STOOD}`;
  return verified === "pass" || verified === "none"
    ? ""
    : `the answer is not verified: ${verified}`;
}

/** How core begins the reason of a run whose answer a stage gave before its work was done. */
const CUT_SHORT = "the answer was cut short";

const STOOD = "the answer is what stood then";
