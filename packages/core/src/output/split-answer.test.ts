import { describe, expect, it } from "vitest";
import { splitAnswer } from "./split-answer.ts";

describe("free text before an answer", () => {
  it.each([
    ["It is four.\nANSWER:\n{}", "It is four.", "\n{}"],
    ["It is four.\n\n**ANSWER:** {}", "It is four.", "{}"],
    ["> ### ANSWER: {}", "", "{}"],
    ["答案：{}", "", "{}"],
    ["ANSWER: 1\nno\nANSWER: 2", "ANSWER: 1\nno", "2"],
    ["The ANSWER: is near.", "", "The ANSWER: is near."],
    ['{"answer": 4}', "", '{"answer": 4}'],
    ["ANSWER:", "", ""],
  ])("%j is taken apart", (text, reasoning, answer) => {
    expect(splitAnswer(text)).toEqual({ reasoning, answer });
  });
});
