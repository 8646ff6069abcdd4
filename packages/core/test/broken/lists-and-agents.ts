import type { BrokenCase } from "./broken-case.ts";

const inner =
  "apiVersion: loopwright/v1\nname: inner\nmodel: ollama/small\ninputs: { city: string, days: { type: integer, default: 2 } }\ntask: Look at {{ inputs.city }}.\nstrategy: direct\noutput: { fields: { report: string } }\n";
const files = { "inner.yaml": inner };

/** Stages over lists, and agents inside agents. */
export const cases: readonly BrokenCase[] = [
  {
    name: "no items at all",
    spec: "strategy:\n  - plan\n  - for-each: { in: plan.steps, item: step, maxItems: 0, do: direct }\n  - direct\n",
    found: [["LW-VALUE-RANGE", 6, 55]],
    fixes: ["write `maxItems: 1`"],
  },
  {
    name: "a list without a bound",
    spec: "inputs: { rows: { type: array, items: string } }\nstrategy:\n  - for-each: { in: inputs.rows, item: row, do: direct }\n  - direct\n",
    found: [["LW-LIMIT-UNBOUNDED", 6, 21]],
    fixes: ["write `maxItems: 10` beside `in`"],
  },
  {
    name: "the lessons, which have no bound",
    spec: "memory: { lessons: { use: file, path: l.jsonl } }\nstrategy:\n  - recall: { from: lessons }\n  - for-each: { in: lessons, item: one, do: direct }\n  - direct\n",
    found: [["LW-LIMIT-UNBOUNDED", 7, 21]],
    fixes: ["write `maxItems: 10` beside `in`"],
    says: "over a list without a known bound needs `maxItems`",
  },
  {
    name: "a text where a list is gone through",
    spec: "strategy:\n  - direct\n  - for-each: { in: answer.text, item: one, do: direct }\n",
    found: [["LW-EXPR-TYPE", 6, 21]],
    fixes: ["write a path that leads to a list, like `plan.steps`"],
  },
  {
    name: "an item with a name of the state",
    spec: "strategy:\n  - plan\n  - for-each: { in: plan.steps, item: answer, do: direct }\n",
    found: [["LW-STAGE-OPTIONS", 6, 39]],
    fixes: ["write `item: one`"],
    says: "`answer` is a name of the state",
  },
  {
    name: "an item whose name is no identifier",
    spec: "strategy:\n  - plan\n  - for-each: { in: plan.steps, item: my-step, do: direct }\n",
    found: [["LW-STAGE-OPTIONS", 6, 39]],
    fixes: ["write `item: myStep`"],
  },
  {
    name: "an item inside another of the same name",
    spec: "strategy:\n  - plan\n  - for-each:\n      in: plan.steps\n      item: step\n      do: { for-each: { in: step.dependsOn, item: step, maxItems: 2, do: direct } }\n",
    found: [["LW-STAGE-OPTIONS", 9, 51]],
    fixes: ["write `item: innerStep`"],
    says: "already the `item` of a stage around",
  },
  {
    name: "an item outside of its loop",
    spec: "strategy:\n  - plan\n  - for-each: { in: plan.steps, item: step, do: direct }\n  - ask: { question: '{{ step.objective }}' }\n",
    found: [["LW-TEMPLATE-PATH", 7, 26]],
    fixes: [
      "known here: task, inputs, plan, observations, answer, verdict, candidates, lessons, results",
    ],
  },
  {
    name: "an unknown field of an item",
    spec: "strategy:\n  - plan\n  - for-each:\n      in: plan.steps\n      item: step\n      task: '{{ step.objectiv }}'\n      do: { direct: { when: step.stat == 'open' } }\n",
    found: [
      ["LW-TEMPLATE-PATH", 9, 17],
      ["LW-EXPR-UNKNOWN", 10, 34],
    ],
    fixes: ["did you mean `objective`?", "did you mean `status`?"],
    says: "did you mean `objective`",
  },
  {
    name: "a comparison with an item that is never true",
    spec: "strategy:\n  - plan\n  - for-each:\n      in: plan.steps\n      item: step\n      do: { direct: { when: \"step.status == 'opened'\" } }\n",
    found: [["LW-EXPR-NEVER-TRUE", 9, 45]],
    fixes: ["did you mean 'open'?"],
  },
  {
    name: "a list of results read as one result",
    spec: "strategy:\n  - plan\n  - for-each: { id: sections, in: plan.steps, item: step, do: direct }\n  - ask: { question: '{{ results.sections.text }}' }\n",
    found: [["LW-TEMPLATE-PATH", 7, 26]],
    fixes: ["name an item by its index, like `results.sections.0`, or repeat over the list"],
    says: "is a list",
  },
  {
    name: "an unknown field in a list of results",
    spec: "strategy:\n  - plan\n  - for-each: { id: sections, in: plan.steps, item: step, do: direct }\n  - ask: { question: '{{# results.sections }}{{ item.answr }}{{/ results.sections }}' }\n",
    found: [["LW-TEMPLATE-PATH", 7, 49]],
    fixes: ["did you mean `answer`?"],
    says: "did you mean `answer`",
  },
  {
    name: "a tool that runs once, by a pattern, for each item",
    spec: "tools: [orders/update-address]\nstrategy:\n  - plan\n  - for-each: { in: plan.steps, item: step, do: { react: { tools: [orders/*] } } }\n",
    found: [["LW-TOOL-ONCE-IN-FAN-OUT", 7, 68]],
    fixes: ["list by name what may run: `tools: [orders/update-address]`, or write `tools: read`"],
  },
  {
    name: "an agent without a file",
    spec: "strategy: [{ agent: { spec: ./nowhere.yaml } }]\n",
    found: [["LW-FILE-MISSING", 4, 29]],
    fixes: ["make it, or mend the path: it is relative to `spec.yaml`"],
  },
  {
    name: "an agent outside the project",
    spec: "strategy: [{ agent: { spec: ../other.yaml } }]\n",
    found: [["LW-FILE-OUTSIDE-ROOT", 4, 29]],
    fixes: ["name a path inside the project, or choose another root with --root"],
  },
  {
    name: "an agent with faults of its own",
    spec: "strategy: [{ agent: { spec: ./inner.yaml } }]\n",
    files: {
      "inner.yaml":
        "apiVersion: loopwright/v1\nname: inner\nmodel: ollama/small\nstrategy: [{ direct: { onEror: fail } }]\n",
    },
    found: [
      ["LW-STAGE-UNKNOWN-OPTION", 4, 24, "inner.yaml"],
      ["LW-AGENT-SPEC", 4, 29],
    ],
    fixes: [
      "did you mean `onError`?",
      "mend it there: `loopwright check inner.yaml` shows all of it",
    ],
    says: "by `agent` at",
  },
  {
    name: "a fragment as an agent",
    spec: "strategy: [{ agent: { spec: ./inner.yaml } }]\n",
    files: { "inner.yaml": "apiVersion: loopwright/v1\nname: inner\nmodel: ollama/small\n" },
    found: [["LW-AGENT-SPEC", 4, 29]],
    fixes: ["add `strategy:` to it"],
    says: "is a fragment",
  },
  {
    name: "an agent that calls itself",
    spec: "strategy: [{ agent: { spec: ./spec.yaml } }]\n",
    found: [["LW-AGENT-CYCLE", 4, 29]],
    fixes: ["name another spec here, or take this agent out"],
    says: "spec.yaml → spec.yaml",
  },
  {
    name: "agents in a circle",
    spec: "strategy: [{ agent: { spec: ./a.yaml } }]\n",
    files: {
      "a.yaml":
        "apiVersion: loopwright/v1\nname: a\nmodel: ollama/small\nstrategy: [{ agent: { spec: ./b.yaml } }]\n",
      "b.yaml":
        "apiVersion: loopwright/v1\nname: b\nmodel: ollama/small\nstrategy: [{ agent: { spec: ./a.yaml } }]\n",
    },
    found: [["LW-AGENT-CYCLE", 4, 29, "b.yaml"]],
    fixes: ["name another spec here, or take this agent out"],
    says: "a.yaml → b.yaml → a.yaml",
  },
  {
    name: "an input that the agent lacks",
    spec: "strategy: [{ agent: { spec: ./inner.yaml } }]\n",
    files,
    found: [["LW-AGENT-INPUT", 4, 29]],
    fixes: ["write `inputs: { city: ... }`"],
  },
  {
    name: "an input that the agent does not declare",
    spec: "strategy: [{ agent: { spec: ./inner.yaml, inputs: { city: Rome, dais: 3 } } }]\n",
    files,
    found: [["LW-AGENT-INPUT", 4, 65]],
    fixes: ["did you mean `days`?"],
  },
  {
    name: "a number where the agent wants text",
    spec: "strategy: [{ agent: { spec: ./inner.yaml, inputs: { city: 7 } } }]\n",
    files,
    found: [["LW-VALUE-TEXT-EXPECTED", 4, 59]],
    fixes: ['write `city: "7"`'],
  },
  {
    name: "a text where the agent wants a number",
    spec: 'strategy: [{ agent: { spec: ./inner.yaml, inputs: { city: Rome, days: "{{ task.text }}" } } }]\n',
    files,
    found: [["LW-AGENT-INPUT", 4, 75]],
    fixes: ["name a path that leads to a number"],
    says: "the input `days` is a number",
  },
  {
    name: "an output that the agent does not have",
    spec: "strategy: [{ agent: { spec: ./inner.yaml, inputs: { city: Rome }, output: reprt } }]\n",
    files,
    found: [["LW-AGENT-INPUT", 4, 75]],
    fixes: ["did you mean `report`?"],
  },
  {
    name: "a field of an agent's value that is none",
    spec: "strategy:\n  - agent: { spec: ./inner.yaml, inputs: { city: Rome } }\n  - ask: { question: '{{ results.agent.value.reprt }}' }\n",
    files,
    found: [["LW-TEMPLATE-PATH", 6, 26]],
    fixes: ["did you mean `report`?"],
    says: "did you mean `report`",
  },
  {
    name: "a limit in dollars around an agent without prices",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: ollama/s\nstrategy: [{ agent: { spec: ./inner.yaml } }]\nlimits: { usd: 1 }\n",
    files: {
      "inner.yaml": "apiVersion: loopwright/v1\nname: inner\nmodel: kimi/k\nstrategy: direct\n",
    },
    found: [["LW-LIMIT-NO-PRICE", 5, 16]],
    fixes: ["add `price: { input: ..., output: ... }` (dollars per million tokens) to each"],
    says: "kimi/k",
  },
];
