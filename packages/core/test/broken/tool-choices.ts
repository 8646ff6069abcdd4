import type { BrokenCase } from "./broken-case.ts";

/** Tools, their policies, and which of them a stage may call. */
export const cases: readonly BrokenCase[] = [
  {
    name: "an unknown tool",
    spec: "tools: [calculater]\nstrategy: react\n",
    found: [["LW-PLUGIN-UNKNOWN", 4, 9]],
    fixes: ["did you mean `calculator`?"],
    says: "did you mean `calculator`",
  },
  {
    name: "an agent as a tool",
    spec: "tools:\n  research: { use: agent, spec: ./x.yaml }\nstrategy: react\n",
    found: [["LW-FILE-MISSING", 5, 33]],
    fixes: ["make it, or mend the path: it is relative to `spec.yaml`"],
  },
  {
    name: "a tool twice",
    spec: "tools: [calculator, calculator]\nstrategy: react\n",
    found: [["LW-SPEC-ID-CLASH", 4, 21]],
    fixes: ["use the map form and give each a name of its own"],
  },
  {
    name: "a part of the language that is not built",
    spec: "strategy: [direct, { verify: { method: cove-later } }]\n",
    found: [["LW-SPEC-NOT-YET", 4, 32]],
    fixes: ["delete `verify.method: cove-later` to run without it"],
  },
  {
    name: "a misspelt policy",
    spec: "tools:\n  calculator: { timout: 3s }\nstrategy: react\n",
    found: [["LW-SPEC-UNKNOWN-KEY", 5, 17]],
    fixes: ["did you mean `timeout`?"],
    says: "did you mean `timeout`",
  },
  {
    name: "a cache of writes",
    spec: "tools:\n  orders/update-address: { cache: 5s }\nstrategy: react\n",
    found: [["LW-TOOL-EFFECT", 5, 35]],
    fixes: ["delete `cache`"],
  },
  {
    name: "tools that stand in for each other",
    spec: "tools:\n  calculator: { fallback: rough }\n  rough: { use: calculator, fallback: calculator }\nstrategy: react\n",
    found: [
      ["LW-TOOL-FALLBACK", 5, 27],
      ["LW-TOOL-FALLBACK", 6, 39],
    ],
    fixes: ["end the chain with a text", "end the chain with a text"],
    says: "calculator → rough → calculator",
  },
  {
    name: "a stand-in that takes other arguments",
    spec: "tools:\n  calculator: { fallback: orders/query }\n  orders/query: {}\nstrategy: react\n",
    found: [["LW-TOOL-FALLBACK", 5, 27]],
    fixes: ["name a tool that takes the same arguments, or write a text"],
  },
  {
    name: "a fallback that is nearly the name of a tool",
    spec: "tools:\n  calculator: { fallback: ruogh }\n  rough: { use: calculator }\nstrategy: react\n",
    found: [["LW-TOOL-FALLBACK", 5, 27]],
    fixes: ["did you mean `rough`?"],
  },
  {
    name: "a time in which no tool answers",
    spec: "tools: { calculator: { timeout: 0s } }\nstrategy: react\n",
    found: [["LW-VALUE-RANGE", 4, 33]],
    fixes: ["write more than 0, like `timeout: 5s`"],
  },
  {
    name: "a result of no characters",
    spec: "tools: { calculator: { maxResult: 0 } }\nstrategy: react\n",
    found: [["LW-VALUE-RANGE", 4, 35]],
    fixes: ["write `maxResult: 1` or more"],
  },
  {
    name: "a stage's limit without a price",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: kimi/k\nstrategy:\n  - direct: { limits: { usd: 1 } }\n",
    found: [["LW-LIMIT-NO-PRICE", 5, 30]],
    fixes: ["add `price: { input: ..., output: ... }` (dollars per million tokens) to each"],
  },
  {
    name: "an approval that is neither",
    spec: "tools:\n  calculator: { approval: allways }\nstrategy: react\n",
    found: [["LW-VALUE-CHOICE", 5, 27]],
    fixes: ["did you mean `always`?"],
    says: "did you mean `always`",
  },
  {
    name: "a condition over unknown arguments",
    spec: "tools:\n  calculator: { deny: { when: args.expresion == '1' } }\nstrategy: react\n",
    found: [["LW-EXPR-UNKNOWN", 5, 36]],
    fixes: ["did you mean `expression`?"],
    says: "did you mean `expression`",
  },
  {
    name: "a stage's tool that is not listed",
    spec: "tools: [calculator]\nstrategy:\n  - react: { tools: [calcualtor] }\n",
    found: [["LW-TOOL-UNKNOWN", 6, 22]],
    fixes: ["did you mean `calculator`?"],
    says: "did you mean `calculator`",
  },
  {
    name: "a pattern without a tool",
    spec: "tools: [calculator]\nstrategy:\n  - react: { tools: [orders/*] }\n",
    found: [["LW-TOOL-GLOB", 6, 22]],
    fixes: ["tools here: calculator"],
  },
  {
    name: "a looser approval",
    spec: "tools: [orders/update-address]\nstrategy:\n  - react: { tools: { orders/update-address: { approval: never } } }\n",
    found: [["LW-TOOL-LOOSENED-POLICY", 6, 58]],
    fixes: ["delete it here, or change `tools.orders/update-address`"],
  },
  {
    name: "a longer timeout",
    spec: "tools: [calculator]\nstrategy:\n  - react: { tools: { calculator: { timeout: 1m } } }\n",
    found: [["LW-TOOL-LOOSENED-POLICY", 6, 46]],
    fixes: ["delete it here, or change `tools.calculator`"],
  },
  {
    name: "a once tool in samples",
    spec: "tools: [orders/update-address]\nstrategy:\n  - self-consistency: { do: { react: { tools: all } } }\n",
    found: [["LW-TOOL-ONCE-IN-FAN-OUT", 6, 47]],
    fixes: ["list by name what may run: `tools: [orders/update-address]`, or write `tools: read`"],
  },
];
