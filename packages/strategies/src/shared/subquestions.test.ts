import { describe, expect, it } from "vitest";
import { questionsOf, solvedLines } from "./subquestions.ts";

const task =
  "A slide closes in 15 minutes; going up takes 4 and down 1. How many times can Amy slide before it closes?";
const whole = "How many times can Amy slide before it closes?";

describe("the questions of a draft", () => {
  it("end with that of the task: the draft's own, or the task itself", () => {
    const trip = "How long does one trip take?";
    expect(questionsOf([trip, whole], task, 8)).toEqual({ questions: [trip, whole], cut: 0 });
    expect(questionsOf([trip, "how many times can amy slide before it closes"], task, 8)).toEqual({
      questions: [trip, "how many times can amy slide before it closes"],
      cut: 0,
    });
    expect(questionsOf([trip], task, 8)).toEqual({ questions: [trip, task], cut: 0 });
    expect(questionsOf([whole, trip], task, 8).questions).toEqual([whole, trip, task]);
  });

  it("are the task alone where the draft holds none", () => {
    for (const draft of [[], ["", "  "], ["?!"]])
      expect(questionsOf(draft, task, 8)).toEqual({ questions: [task], cut: 0 });
    expect(questionsOf([task], task, 8)).toEqual({ questions: [task], cut: 0 });
  });

  it("come once each, and the first of too many are kept beside the last", () => {
    expect(questionsOf(["a?", "A", "b?", "c?", "d?", whole], task, 3)).toEqual({
      questions: ["a?", "b?", whole],
      cut: 2,
    });
    expect(questionsOf(["a?", "b?", "c?"], task, 3)).toEqual({
      questions: ["a?", "b?", task],
      cut: 1,
    });
  });

  it("of a Chinese task are told apart by their letters", () => {
    expect(questionsOf(["一次多久？", "能滑几次"], "15 分钟后关门。能滑几次？", 8)).toEqual({
      questions: ["一次多久？", "能滑几次"],
      cut: 0,
    });
  });
});

describe("what is answered so far", () => {
  it("is said in the language of the spec, and nothing is said of nothing", () => {
    expect(solvedLines("en", [])).toBe("");
    const solved = [{ question: "How long?", answer: "5 minutes" }];
    expect(solvedLines("en", solved)).toBe(
      "## Answered so far\n1. Question: How long?\n   Answer: 5 minutes",
    );
    expect(solvedLines("zh", solved)).toContain("问题：How long?");
  });
});
