import type { Observation, RunState } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import {
  breachText,
  type ThoughtOptions,
  thoughtBreaches,
  thoughtPrompt,
} from "./thought-rules.ts";

const result = (id: string, content: string, more: Partial<Observation> = {}): Observation => ({
  id,
  tool: "stock",
  input: { guess: 4711 },
  content,
  ok: true,
  degraded: false,
  ...more,
});

const STATE: RunState = {
  task: {
    text: "Refund order ORD-20417 of 1,299.50 yuan by 2026-05-01.",
    inputs: { budget: 2000, share: 0.35 },
    mission: "",
    deliverable: "",
    constraints: [],
  },
  plan: { goal: "", constraints: [], conflicts: [], steps: [] },
  planRevision: 0,
  observations: [
    result("observation-1", "There are 480 nuts at 18.04 each, 20,000 bolts."),
    result("observation-2", "I guess 777.", { isThought: true }),
  ],
  answer: {
    text: "",
    value: null,
    reasoning: "",
    evidence: [],
    solvable: true,
    unsolvableReason: "",
    revision: 0,
    by: "",
  },
  verdict: {
    outcome: "none",
    issues: [],
    supportedEvidence: [],
    answerRevision: 0,
    revised: false,
  },
  candidates: [],
  lessons: [],
  results: {},
};

const OFF: ThoughtOptions = { rules: [], noInventedValues: false };
const PARTS: ThoughtOptions = { ...OFF, rules: ["need", "facts", "how"] };
const VALUES: ThoughtOptions = { ...OFF, noInventedValues: true };

const brokenBy = (thought: string, options: ThoughtOptions, state: RunState = STATE) =>
  thoughtBreaches(thought, options, state);

describe("thoughts without rules", () => {
  it("break none, and nothing is said of them", () => {
    expect(brokenBy("Whatever, 4711!", OFF)).toEqual([]);
    expect(thoughtPrompt(OFF, "en")).toBe("");
  });
});

describe("the parts of a thought", () => {
  it.each([
    "Need: the price.\nFacts: 480 nuts [observation-1].\nHow: ask for the price.",
    "**Need**: the price; **Facts:** 480 nuts (observation-1). How: ask.",
    "- need: the price\n- fact: 480 [observation-1]\n- how: ask",
    "需要：价格。事实：480 个 [observation-1]。做法：询价。",
  ])("are read in %j", (thought) => {
    expect(brokenBy(thought, PARTS)).toEqual([]);
  });

  it("are missed by name", () => {
    expect(brokenBy("I need the price and know how.", PARTS).map(({ rule }) => rule)).toEqual([
      "need",
      "facts",
      "how",
    ]);
    expect(brokenBy("Need:\nFacts: x [observation-1]\nHow: y", PARTS)).toEqual([
      { rule: "need", detail: "missing" },
    ]);
  });

  it.each([
    ["480 nuts", "no result cited"],
    ["480 nuts [observation-9]", "no such result: observation-9"],
    ["I guess [observation-2]", "no such result: observation-2"],
  ])("cite results that exist and are no thoughts: %s", (facts, detail) => {
    const thought = `Need: a\nFacts: ${facts}\nHow: b`;
    expect(brokenBy(thought, PARTS)).toEqual([{ rule: "facts", detail }]);
  });

  it("cite three results at most, and none before the first", () => {
    const observations = [1, 2, 3, 4].map((id) => result(`observation-${id}`, "x"));
    const cited = observations.map(({ id }) => `[${id}]`).join(" ");
    const thought = `Need: a\nFacts: ${cited}\nHow: b`;
    expect(brokenBy(thought, PARTS, { ...STATE, observations })).toEqual([
      { rule: "facts", detail: "4 > 3" },
    ]);
    const first = "Need: a\nFacts: the task says so\nHow: b";
    expect(brokenBy(first, PARTS, { ...STATE, observations: [] })).toEqual([]);
  });
});

describe("the length of a thought", () => {
  it("is bounded where the options say so", () => {
    expect(brokenBy("x".repeat(41), { ...OFF, maxChars: 40 })).toEqual([
      { rule: "length", detail: "41 > 40" },
    ]);
    expect(brokenBy("x".repeat(40), { ...OFF, maxChars: 40 })).toEqual([]);
  });
});

describe("values of a thought", () => {
  it.each([
    ["There are 512 nuts.", "512"],
    ["The order is ORD-99871.", "ord-99871"],
    ["It costs 3,450 yuan", "3,450"],
    ["共有 ５１２ 个", "512"],
    ["The guess was 4711", "4711"],
    ["I thought of 777", "777"],
    ["about 25km away", "25"],
    ["a 45 % discount", "45 %"],
  ])("are invented in %j", (thought, detail) => {
    expect(brokenBy(thought, VALUES)).toEqual([{ rule: "invented-values", detail }]);
  });

  it.each([
    "ord-20417 and ORD-20417 are the same order",
    "1299.5 of 1,299.50 and 1 299.50 yuan, ２０００ in all",
    "18 each, or 18.0, 18.04, about 18",
    "35 % of it, or 0.35",
    "2 万 bolts, 20k bolts, 20000 bolts",
    "by 2026-05-01, May 1, 2026, 1 May 2026, 2026年5月1日, at 09:45, in 2026",
    "1. look\n2. buy\n12. answer",
    "first 3 of 8 steps, see [observation-1] and observation-12",
    "480 × 18.04 = 8659.2, and 2000 - 1299.5 = 700.5",
    "24 hours, 60 minutes, 100 % sure, GPT-4o, UTF-8, COVID-19",
    "no numbers at all",
  ])("are known, spelled otherwise or calculated in %j", (thought) => {
    expect(brokenBy(thought, VALUES)).toEqual([]);
  });
});

describe("the words about rules", () => {
  it.each(["en", "zh"] as const)("name each rule before and after (%s)", (language) => {
    const all: ThoughtOptions = { ...PARTS, noInventedValues: true, maxChars: 400 };
    expect(thoughtPrompt(all, language).split("\n")).toHaveLength(6);
    const breaches = brokenBy(`4711 ${"x".repeat(400)}`, all);
    const said = breachText(breaches, language).split("\n");
    expect(said).toHaveLength(6);
    expect(said.at(-1)).toContain("4711");
  });

  it("let no thought write an observation", () => {
    const observations = [result("observation-1", "x")];
    const thought = "Need: a\nFacts: [observation-77]\nHow: b";
    const breaches = brokenBy(thought, PARTS, { ...STATE, observations });
    expect(breachText(breaches, "en")).not.toContain("[observation-77]");
  });
});
