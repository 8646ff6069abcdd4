import type { AnswerDraft, Reply } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { answerOf, reasonedAnswerOf, splitLastLine } from "./answer-of.ts";

function reply(text: string, answer?: AnswerDraft): Reply {
  const message = { role: "assistant" as const, text, reasoning: "", toolCalls: [] };
  const base = {
    text,
    reasoning: "",
    toolCalls: [],
    message,
    finishReason: "stop" as const,
    sent: [],
  };
  return answer === undefined ? base : { ...base, answer };
}

describe("splitLastLine", () => {
  it.each([
    ["one", "", "one"],
    ["a\n\nb\n\n  ", "a", "b"],
    ["a\r\nb\r\n", "a", "b"],
    ["", "", ""],
  ])("splits %j", (text, before, last) => {
    expect(splitLastLine(text)).toEqual({ before, last });
  });
});

describe("reasonedAnswerOf", () => {
  it("takes the last line whole and keeps the rest as reasoning", () => {
    const text = "Steps:\n4 * 6 = 24 (left: 24)\nAnswer: 4 * 6 = 24";
    expect(reasonedAnswerOf(reply(text, { text, evidence: ["observation-1"] }))).toEqual({
      text: "Answer: 4 * 6 = 24",
      reasoning: "Steps:\n4 * 6 = 24 (left: 24)",
      evidence: ["observation-1"],
    });
  });

  it("keeps the model's own reasoning where the text is one line", () => {
    expect(reasonedAnswerOf(reply("24", { text: "24", reasoning: "6 * 4" }))).toEqual({
      text: "24",
      reasoning: "6 * 4",
    });
  });

  it("leaves typed and refused answers as they are", () => {
    const typed = { text: '{\n"n": 1\n}', value: { n: 1 } };
    const refused = { text: "I can't.\nSorry.", solvable: false };
    expect(reasonedAnswerOf(reply("…", typed))).toBe(typed);
    expect(reasonedAnswerOf(reply("…", refused))).toBe(refused);
  });
});

describe("answerOf", () => {
  it("falls back to the text of a reply without an answer", () => {
    expect(answerOf(reply("42"))).toEqual({ text: "42" });
  });
});
