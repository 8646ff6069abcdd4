import type { BrokenCase } from "./broken-case.ts";

const ender = "put a stage that writes `answer` at the end";
const combine = "give `for-each` a `combine:` with a stage that makes one answer of its results";
const last = "let `stop` stand last, or delete what stands after it";
const apart = "add `combine:` with a stage that makes one of both, or let one branch alone set it";

/** Specs that end without an answer, whose tries are never tried, or whose branches meet behind a fault. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a plan and no answer",
    spec: "strategy: plan\n",
    found: [["LW-FLOW-NO-ANSWER", 4, 1]],
    fixes: [ender],
    says: "no stage of `strategy` writes `answer`: a run ends without one",
  },
  {
    name: "a question and no answer",
    spec: "strategy:\n  - ask: { question: Why? }\n  - plan: { when: results.ask.answered }\n",
    found: [["LW-FLOW-NO-ANSWER", 4, 1]],
    fixes: [ender],
  },
  {
    name: "a stop under a guard and no answer",
    spec: "inputs: { isShort: boolean }\nstrategy:\n  - stop: { when: inputs.isShort }\n  - plan\n",
    found: [["LW-FLOW-NO-ANSWER", 5, 1]],
    fixes: [ender],
  },
  {
    name: "an answer that is never reached",
    spec: "strategy:\n  - plan\n  - direct: { when: 1 > 2 }\n",
    found: [
      ["LW-FLOW-NO-ANSWER", 4, 1],
      ["LW-FLOW-UNREACHABLE", 6, 21],
    ],
    fixes: [ender, "delete the stage, or write a guard that can be true"],
  },
  {
    name: "answers of items and none of the run",
    spec: "strategy:\n  - plan\n  - for-each: { in: plan.steps, item: step, do: direct }\n",
    found: [["LW-FLOW-NO-ANSWER", 4, 1]],
    fixes: [combine],
  },
  {
    name: "an output that nothing can fill",
    spec: "output: { fields: { total: number } }\nstrategy:\n  - plan\n",
    found: [["LW-FLOW-NO-ANSWER", 5, 1]],
    fixes: [ender],
    says: "`output` (line 4) says what an answer holds, and no stage of `strategy` writes `answer`",
  },
  {
    name: "an agent that gives none of the fields it declares",
    spec: "strategy: { agent: { spec: ./inner.yaml } }\n",
    files: {
      "inner.yaml":
        "apiVersion: loopwright/v1\nname: inner\nmodel: ollama/small\nstrategy: plan\noutput: { fields: { total: number } }\n",
    },
    found: [
      ["LW-FLOW-NO-ANSWER", 4, 1, "inner.yaml"],
      ["LW-AGENT-SPEC", 4, 28],
    ],
    fixes: [ender, "mend it there: `loopwright check inner.yaml` shows all of it"],
  },
  {
    name: "a try after one that ends the run",
    spec: "strategy: { fallback: { try: [{ stop: { reason: Closed. } }, direct, chain-of-thought] } }\n",
    found: [["LW-FLOW-UNREACHABLE", 4, 62]],
    fixes: [last],
    says: "`direct` can never run: `stop` (line 4) stands before it in `fallback` and never fails: it ends the run",
  },
  {
    name: "a try after one that lets no failure out",
    spec: "strategy: { fallback: { try: [{ direct: { onError: continue } }, chain-of-thought] } }\n",
    found: [["LW-FLOW-UNREACHABLE", 4, 66]],
    fixes: ["take `onError` away from `direct`, or delete what stands after it"],
    says: "its `onError: continue` lets no failure out",
  },
  {
    name: "a stage after tries that end the run",
    spec: "strategy:\n  - fallback: { try: [{ stop: { reason: Closed. } }, direct] }\n  - direct\n",
    found: [
      ["LW-FLOW-UNREACHABLE", 5, 54],
      ["LW-FLOW-UNREACHABLE", 6, 5],
    ],
    fixes: [last, "give `stop` a guard (`when:`), or delete what stands after it"],
  },
  {
    name: "two branches below a stage with a fault",
    spec: "strategy:\n  parallel:\n    branches:\n      left: direct\n      right: { loop: { maxRounds: 0, until: answer.solvable, do: chain-of-thought } }\n",
    found: [
      ["LW-VALUE-RANGE", 8, 35],
      ["LW-FLOW-TWO-WRITERS", 8, 66],
    ],
    fixes: ["write `maxRounds: 1` or more", apart],
  },
  {
    name: "two branches with a fault each",
    spec: "strategy:\n  parallel:\n    branches:\n      left: { direct: { when: '2' } }\n      right: { direct: { when: '3' } }\n",
    found: [
      ["LW-EXPR-TYPE", 7, 32],
      ["LW-FLOW-TWO-WRITERS", 8, 16],
      ["LW-EXPR-TYPE", 8, 33],
    ],
    fixes: ["compare it, like 2 > 0", apart, "compare it, like 3 > 0"],
  },
];
