import type { RunOutcome } from "@loopwright/core";
import { expect, test } from "vitest";
import { answerText, endingText, outcomeJson } from "./outcome-text.ts";

const outcome = {
  outcome: "done",
  verified: "pass",
  value: null,
  answer: { text: "42\u001B[2J", evidence: ["o-1"], solvable: true, unsolvableReason: "" },
  spending: { modelCalls: 1 },
  durationMs: 5,
} as unknown as RunOutcome;

test("the answer is the declared value, else the text, made safe for a terminal", () => {
  expect(answerText(outcome)).toBe("42\\u001b[2J");
  expect(answerText({ ...outcome, value: { total: 42 } })).toBe('{\n  "total": 42\n}');
});

test("says how a run ended only where that is not plain", () => {
  expect(endingText(outcome)).toBe("");
  expect(endingText({ ...outcome, verified: "stale" })).toBe("the answer is not verified: stale");
  expect(endingText({ ...outcome, outcome: "limited", reason: "6 of 6" })).toBe(
    "the run ended limited: 6 of 6",
  );
  const answer = { ...outcome.answer, solvable: false, unsolvableReason: "no such order" };
  expect(endingText({ ...outcome, answer })).toBe("no solution: no such order");
});

test("the JSON leaves out what there is not", () => {
  expect(Object.keys(outcomeJson({ runId: "r", outcome }))).toEqual([
    "outcome",
    "verified",
    "value",
    "answer",
    "spending",
    "durationMs",
    "runId",
  ]);
});

test("says that an answer was cut short, or stood when the run stopped", () => {
  const short = "the answer was cut short: in `work` the steps were used up";
  expect(endingText({ ...outcome, reason: short })).toBe(short);
  expect(endingText({ ...outcome, reason: "enough" })).toBe(
    "the run stopped: enough; the answer is what stood then",
  );
  expect(endingText({ ...outcome, reason: "Nobody replied to: Who?" }, true)).toBe(
    "the run stopped at a question that nobody answered; the answer is what stood then",
  );
});
