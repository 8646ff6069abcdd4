import type { DeadLetter } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { NO_TALLY, withLetter } from "./batch-tally.ts";

const letter: DeadLetter = {
  v: 1,
  kind: "dead-letter",
  id: "run-1",
  time: 1,
  spec: "reviews",
  file: "reviews.yaml",
  programHash: "0",
  outcome: "failed",
  code: "output-invalid",
  message: "it does not fit",
  input: { inputs: {} },
  attempts: [],
  schemaHash: "0",
  modelCalls: 4,
  usage: { input: 10, cacheRead: 0, cacheWrite: 0, output: 5, reasoning: 0 },
  usd: 0.5,
};

describe("the figures of a batch", () => {
  it("hold all calls of a dead letter, and of one that is replaced only what it cost", () => {
    const cost = { modelCalls: 4, tokensIn: 10, tokensOut: 5, usd: 0.5 };
    expect(withLetter(NO_TALLY, letter)).toMatchObject({
      ...cost,
      asked: 1,
      failed: { "output-invalid": 1 },
    });
    const { modelCalls: _none, ...bare } = letter;
    expect(withLetter(NO_TALLY, bare)).toMatchObject({ ...cost, modelCalls: 0, replied: 1 });
    expect(withLetter(NO_TALLY, letter, { isReplaced: true })).toEqual({ ...NO_TALLY, ...cost });
  });
});
