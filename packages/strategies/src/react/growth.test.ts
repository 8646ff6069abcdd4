import type { RunState } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { inventedValues } from "./invented-values.ts";
import { nearRepeat } from "./near-repeats.ts";
import { thoughtBreaches, type ThoughtOptions } from "./thought-rules.ts";

const STATE: RunState = {
  task: { text: "Count 3456.", inputs: {}, mission: "", deliverable: "", constraints: [] },
  plan: { goal: "", constraints: [], conflicts: [], steps: [] },
  planRevision: 0,
  observations: [],
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
const RULES: ThoughtOptions = { rules: ["need", "facts", "how"], noInventedValues: false };

const near = (args: string): void => {
  nearRepeat([{ thought: "a", calls: [{ name: "stock", arguments: args, result: "none" }] }]);
};
const WORK: Readonly<Record<string, (text: string) => void>> = {
  arguments: near,
  "arguments in JSON": (text) => near(JSON.stringify([text])),
  "arguments that end too early": (text) => near(`{"item":"${text}`),
  "a thought by rules": (text) => void thoughtBreaches(`x${text}x`, RULES, STATE),
  facts: (text) => void thoughtBreaches(`Facts: ${text}x`, RULES, STATE),
  "values of a thought": (text) => void inventedValues(`x${text}x`, STATE),
  "values of a result": (text) => {
    const observations = [
      { id: "observation-1", tool: "t", input: null, content: text, ok: true, degraded: false },
    ];
    inventedValues("777.5 and ord-12345", { ...STATE, observations });
  },
};
const PIECES = [
  "\n",
  ".",
  "-",
  "_",
  "a",
  "1",
  "!",
  ":",
  " ",
  'a"',
  "1,",
  "1 000 ",
  "1-",
  "a.",
  "may",
  "how",
  "observation-",
  "做法",
  '{"a":',
  "[",
];
const CASES = Object.keys(WORK).flatMap((name) => PIECES.map((piece) => [name, piece] as const));

describe("what is read of a model's words and of results", () => {
  it.each(CASES)("takes work that grows with the text and no faster: %s of %j", (name, piece) => {
    const timeOf = (chars: number): number => {
      const text = piece.repeat(Math.ceil(chars / piece.length));
      const times = Array.from({ length: 3 }, () => {
        const start = process.cpuUsage();
        WORK[name]?.(text);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      });
      // The least time of the processor, since what else goes on only adds.
      return Math.min(...times);
    };
    timeOf(2_000);
    // Sixteen times the text: sixteen times the time where the work is linear, 256 times where each part is gone over again.
    expect(timeOf(64_000)).toBeLessThan(80 * Math.max(timeOf(4_000), 500));
  });

  it("is each result once, however many steps come after it", () => {
    let count = 0;
    const result = {
      id: "observation-1",
      tool: "stock",
      input: null,
      ok: true,
      degraded: false,
      get content() {
        count += 1;
        return "480 nuts";
      },
    };
    const state = { ...STATE, observations: [result] };
    for (let step = 0; step < 9; step += 1)
      expect(inventedValues(`480 and ${777 + step}`, state)).toEqual([`${777 + step}`]);
    expect(count).toBe(1);
  });

  it("is a number of any length", () => {
    expect(inventedValues(`0.${"7".repeat(400)}`, STATE)).toHaveLength(1);
    expect(inventedValues("9".repeat(400), STATE)).toHaveLength(1);
  });
});
