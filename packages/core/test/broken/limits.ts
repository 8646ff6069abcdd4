import type { BrokenCase } from "./broken-case.ts";

/** Specs whose limits can never be met, may be reached, or can't be enforced. */
export const cases: readonly BrokenCase[] = [
  {
    name: "fewer model calls than a run makes at the least",
    spec: "strategy: [plan-and-solve, { react: { maxSteps: 2 } }, chain-of-thought]\ntools: [calculator]\nlimits: { modelCalls: 2 }\n",
    found: [["LW-LIMIT-UNREACHABLE", 6, 23]],
    fixes: ["write `modelCalls: 3` or more"],
    says: "limits.modelCalls 2 is too small: a run makes at least 3 model calls",
  },
  {
    name: "a worst case above the model calls",
    spec: "strategy:\n  - direct\n  - loop: { maxRounds: 19, until: answer.solvable, do: { loop: { id: inner, maxRounds: 20, until: answer.solvable, do: { react: { maxSteps: 5, maxCallsPerStep: 1 } } } } }\ntools: [calculator]\nlimits: { modelCalls: 300, toolCalls: 2000 }\n",
    found: [["LW-LIMIT-BELOW-BOUND", 8, 23]],
    fixes: ["write `modelCalls: 3803` or more, or bound the stages more tightly"],
    says: "worst case 3,803 model calls with the conclusion is above limits.modelCalls 300: it may end `limited`",
  },
  {
    name: "a worst case above the tool calls",
    spec: "strategy: react\ntools: [calculator]\nlimits: { toolCalls: 3 }\n",
    found: [["LW-LIMIT-BELOW-BOUND", 6, 22]],
    fixes: ["write `toolCalls: 28` or more, or bound the stages more tightly"],
    says: "worst case 28 tool calls is above limits.toolCalls 3",
  },
  {
    name: "no room for the conclusion",
    spec: "strategy: react\ntools: [calculator]\nlimits: { modelCalls: 1 }\n",
    found: [["LW-LIMIT-UNREACHABLE", 6, 23]],
    fixes: ["write `modelCalls: 2` or more"],
    says: "a run needs at least 2 (one for the conclusion, one to begin)",
  },
  {
    name: "tokens that no run can keep to",
    spec: "instructions: Answer in one short sentence, and name the document that says it.\nstrategy: [direct, { reflect: {} }]\nlimits: { tokens: 20 }\n",
    found: [["LW-LIMIT-UNREACHABLE", 6, 19]],
    fixes: ["write a limit well above 22"],
    says: "limits.tokens 20 can never be met: a run makes at least 2 model calls, which together take 22 tokens at the very least",
  },
  {
    name: "a stage whose own limit is below its least",
    spec: "strategy:\n  - plan-and-solve: { do: [direct, { react: { maxSteps: 1 } }], limits: { modelCalls: 2 } }\ntools: [calculator]\n",
    found: [["LW-LIMIT-UNREACHABLE", 5, 87]],
    fixes: ["write `modelCalls: 3` or more"],
    says: "limits.modelCalls of `plan-and-solve` 2 is too small: `plan-and-solve` makes at least 3 model calls",
  },
  {
    name: "a stage whose worst case is above its own limit",
    spec: "strategy:\n  - react: { maxSteps: 6, limits: { modelCalls: 4, toolCalls: 40 } }\ntools: [calculator]\n",
    found: [["LW-LIMIT-BELOW-BOUND", 5, 49]],
    fixes: ["write `modelCalls: 12` or more, or bound the stages more tightly"],
    says: "worst case 12 model calls is above limits.modelCalls of `react` 4",
  },
  {
    name: "a stage inside another with too few tool calls",
    spec: "strategy:\n  - plan-and-solve: { do: { react: { maxSteps: 3, limits: { toolCalls: 2 } } } }\ntools: [calculator]\n",
    found: [["LW-LIMIT-BELOW-BOUND", 5, 72]],
    fixes: ["write `toolCalls: 8` or more, or bound the stages more tightly"],
  },
  {
    name: "a switch that leaves less than a run makes at the least",
    spec: "strategy: [direct, { reflect: {} }, { chain-of-thought: { id: again } }]\nswitches:\n  thrift: { limits: { modelCalls: 1 } }\n",
    found: [["LW-LIMIT-UNREACHABLE", 6, 35]],
    fixes: ["write `modelCalls: 3` or more"],
  },
  {
    name: "a limit in dollars over a fallback without a price",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: { use: kimi/k3, price: { input: 1, output: 1 }, fallback: [deepseek/v4] }\nstrategy: direct\nlimits: { usd: 1 }\n",
    found: [["LW-LIMIT-NO-PRICE", 5, 16]],
    fixes: ["add `price: { input: ..., output: ... }` (dollars per million tokens) to each"],
    says: "missing: `deepseek/v4`",
  },
  {
    name: "a limit in dollars over an agent without a price",
    spec: "strategy:\n  - agent: { spec: inner.yaml, limits: { usd: 1 } }\nlimits: { usd: 2 }\n",
    files: {
      "inner.yaml":
        "apiVersion: loopwright/v1\nname: inner\nmodel: kimi/k3\ntask: Do it.\nstrategy: direct\n",
    },
    found: [
      ["LW-LIMIT-NO-PRICE", 5, 47],
      ["LW-LIMIT-NO-PRICE", 6, 16],
    ],
    fixes: [
      "add `price: { input: ..., output: ... }` (dollars per million tokens) to each",
      "add `price: { input: ..., output: ... }` (dollars per million tokens) to each",
    ],
    says: "missing: `kimi/k3`",
  },
  {
    name: "a limit in dollars of an agent that is a tool",
    spec: "tools:\n  ask-inner: { use: agent, spec: inner.yaml, description: 'Answers questions. Use it when asked, not twice. It returns text.', limits: { usd: 1 } }\nstrategy: react\n",
    files: {
      "inner.yaml":
        "apiVersion: loopwright/v1\nname: inner\nmodel: kimi/k3\ntask: Do it.\nstrategy: direct\n",
    },
    found: [["LW-LIMIT-NO-PRICE", 5, 143]],
    fixes: ["add `price: { input: ..., output: ... }` (dollars per million tokens) to each"],
  },
];
