import { expect, test } from "vitest";
import { isStoppedByQuestion, runRemarks } from "./run-remarks.ts";

function remarksOn(events: readonly { name: string; stage?: string; data: object }[]) {
  const listeners = new Map<string, (event: never) => unknown>();
  const on = (name: string, listener: (event: never) => unknown): (() => void) => {
    listeners.set(name, listener);
    return () => undefined;
  };
  const remarks = runRemarks({ on });
  for (const event of events) listeners.get(event.name)?.(event as never);
  return remarks;
}

test("items that failed while others went on are said once, with their reasons", () => {
  const failed = (count: number) => ({
    name: "fact.told",
    stage: "each",
    data: {
      fact: "items.failed",
      data: { failed: [{ key: "b", reason: "no\nreply" }], of: count },
    },
  });
  expect(remarksOn([failed(2), failed(2)]).failedItems).toEqual([
    "1 of 2 items of each failed: b: no reply",
  ]);
  expect(remarksOn([failed(1)]).failedItems).toEqual([]);
});

test("a run that ended at a question without an answer is told from one that went on", () => {
  const asked = { name: "question.asked", data: { id: "q", question: "Who?" } };
  const silent = { name: "question.answered", data: { id: "q", answered: false } };
  const remarks = remarksOn([asked, silent]);
  const reason = "Nobody replied to: Who?";
  expect(isStoppedByQuestion({ outcome: "done", reason }, remarks)).toBe(true);
  expect(isStoppedByQuestion({ outcome: "done" }, remarks)).toBe(false);
  expect(isStoppedByQuestion({ outcome: "done", reason }, remarksOn([asked]))).toBe(false);
});
