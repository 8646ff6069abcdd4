import type { BrokenCase } from "./broken-case.ts";

const sampled = "model: { use: ollama/small, temperature: 0.8 }";

/** Specs without an error that are known to go wrong. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a stage that acts without tools",
    spec: "strategy: react\n",
    found: [["LW-STAGE-NO-TOOLS", 4, 11]],
    fixes: [
      "list tools at the top of the spec: `tools: [...]`, or write a strategy that does not act, like `direct`",
    ],
  },
  {
    name: "samples at temperature 0 of a strategy's own",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: { use: ollama/s, temperature: 0 }\nstrategy:\n  - self-consistency: { samples: 5 }\n",
    found: [["LW-MODEL-ALIKE-SAMPLES", 5, 5]],
    fixes: ["write `model: { extends: default, temperature: 0.8 }` in `self-consistency`"],
    says: "5 samples of `self-consistency` at temperature 0 will be alike",
  },
  {
    name: "samples at temperature 0 of the stage inside",
    spec: "models: { cold: { use: ollama/s, temperature: 0 } }\nstrategy:\n  - self-consistency: { samples: 3, do: { direct: { model: cold } } }\n",
    found: [["LW-MODEL-ALIKE-SAMPLES", 6, 60]],
    fixes: ["write `model: { extends: cold, temperature: 0.8 }` in `direct`"],
    says: "3 samples of `direct`",
  },
  {
    name: "a schema-bound stage above 0.3",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: { use: ollama/s, temperature: 0.7 }\nstrategy: direct\noutput: { fields: { reply: string } }\n",
    found: [["LW-MODEL-HOT-SCHEMA", 4, 11]],
    fixes: [
      "write `model: { extends: default, temperature: 0 }` in `direct`, and let an earlier stage have the ideas",
    ],
    says: "samples at temperature 0.7",
  },
  {
    name: "a schema-bound stage with a hot model of its own",
    spec: "strategy:\n  - direct: { model: { use: ollama/s, temperature: 0.9 } }\noutput: { fields: { reply: string } }\n",
    found: [["LW-MODEL-HOT-SCHEMA", 5, 22]],
    fixes: ["write `temperature: 0` in its model, and let an earlier stage have the ideas"],
  },
  {
    name: "chain-of-thought on a model that thinks",
    spec: "models: { deep: kimi/kimi-k3 }\nstrategy:\n  - chain-of-thought: { model: deep }\n",
    found: [["LW-MODEL-THINKS", 6, 32]],
    fixes: ["write `direct` instead, or `effort: none` in the model"],
    says: "`kimi/kimi-k3` thinks before it answers",
  },
  {
    name: "a judge that is the author",
    spec: "strategy: [direct, verify]\n",
    found: [["LW-MODEL-SELF-JUDGE", 4, 20]],
    fixes: [
      "give the judge another model: `model: { judge: provider/name }`, or add `checks: [...]`",
    ],
    says: "`verify` lets `ollama/small` judge what it wrote itself",
  },
  {
    name: "a judge that is the author at another temperature",
    spec: "models: { strict: { use: ollama/small, temperature: 0 } }\nstrategy:\n  - loop: { maxRounds: 2, until: verdict.passed, do: [direct, { verify: { model: strict } }] }\n",
    found: [["LW-MODEL-SELF-JUDGE", 6, 82]],
    fixes: [
      "give the judge another model: `model: { judge: provider/name }`, or add `checks: [...]`",
    ],
  },
  {
    name: "a vote that the author scores",
    spec: `${sampled.replace("model:", "models:\n  varied:")}\nstrategy:\n  - self-consistency: { samples: 3, do: { direct: { model: varied } } }\n`,
    found: [["LW-MODEL-SELF-JUDGE", 7, 5]],
    fixes: ["give the judge another model: `model: { judge: provider/name }`"],
  },
  {
    name: "constraints without a rule, and no judge",
    spec: "task: { constraints: [Be polite., { text: Short., rule: size(answer.text) < 9 }, Promise nothing., At most 5 words.] }\nstrategy: [direct, { verify: { checks: [constraints], model: none } }]\n",
    found: [["LW-MODEL-NO-JUDGE", 5, 62]],
    fixes: [
      "give each of them a `rule`, or `verify` a model that judges: `model: { judge: provider/name }`",
    ],
    says: "2 constraints have no rule, and `verify` has no judge: nobody looks at them",
  },
  {
    name: "an example that is the task",
    spec: "task: How many days are there in a leap year?\nstrategy:\n  - direct:\n      examples:\n        - { task: How many days has May?, answer: '31' }\n        - { task: 'How many days  are there in a LEAP year?', answer: '366' }\n",
    found: [["LW-PROMPT-EXAMPLE-LEAK", 9, 19]],
    fixes: ["take an example that differs from the task, or delete it"],
    says: "this example of `direct` is the task itself",
  },
  {
    name: "an example that holds an input's default",
    spec: "inputs: { comment: { type: string, default: The parcel came two days late. } }\nstrategy:\n  - direct: { examples: [{ task: 'Grade: The parcel came two days late.', answer: bad }] }\n",
    found: [["LW-PROMPT-EXAMPLE-LEAK", 6, 34]],
    fixes: ["take an example that differs from the task, or delete it"],
  },
  {
    name: "an example whose answer the task holds",
    spec: "task: The capital of France is Paris; say so.\nstrategy:\n  - direct: { examples: [{ task: What is the capital of France?, answer: Paris }] }\n",
    found: [["LW-PROMPT-EXAMPLE-LEAK", 6, 74]],
    fixes: ["take an example with another answer"],
    says: "the task holds the answer of this example",
  },
  {
    name: "more than twenty lines of instructions",
    spec: `strategy: direct\ninstructions: |\n${Array.from({ length: 21 }, (_, index) => `  Rule ${index + 1} holds.\n`).join("")}`,
    found: [["LW-PROMPT-TOO-LONG", 5, 15]],
    fixes: [
      "keep what decides; move facts into `glossary`, cases into `examples`, and steps into stages of their own",
    ],
    says: "a prompt of `direct` holds 21 lines of instructions; beyond 20",
  },
  {
    name: "more than twenty lines in three places",
    spec: `instructions: "${"a\\n".repeat(9)}"\nstrategy:\n  - direct: { instructions: "${"b\\n".repeat(10)}", prompt: "c\\nd" }\n`,
    found: [["LW-PROMPT-TOO-LONG", 6, 29]],
    fixes: [
      "keep what decides; move facts into `glossary`, cases into `examples`, and steps into stages of their own",
    ],
    says: "holds 21 lines of instructions (9 of the spec, 10 of the stage, 2 of its `prompt`)",
  },
  {
    name: "an input in the instructions",
    spec: "inputs: { role: string }\ninstructions: 'You are {{ inputs.role }}.'\nstrategy: direct\n",
    found: [["LW-PROMPT-INPUT", 5, 27]],
    fixes: ["put it into `task` or a `prompt`, where it is data"],
    says: "`{{ inputs.role }}` puts an input into `instructions`",
  },
  {
    name: "an input in the instructions of a stage",
    spec: "inputs: { tags: { type: array, items: string } }\nstrategy:\n  - direct: { instructions: 'Mind {{# inputs.tags }}{{ item }} {{/ inputs.tags }}.' }\n",
    found: [["LW-PROMPT-INPUT", 6, 39]],
    fixes: ["put it into `task` or a `prompt`, where it is data"],
  },
  {
    name: "a tool that must run once, named in a sample",
    bare: true,
    spec: `apiVersion: loopwright/v1\nname: x\n${sampled}\ntools: [orders/query, { orders/update-address: { approval: always } }]\nstrategy:\n  - self-consistency:\n      model: { judge: ollama/other }\n      do: { react: { tools: [orders/query, orders/update-address] } }\n`,
    found: [["LW-TOOL-ONCE-SAMPLED", 8, 44]],
    fixes: ["write `tools: read` here, and act in a stage after `self-consistency`"],
    says: "`orders/update-address` must not run twice, and `self-consistency` (line 6) runs `react` in several branches at once",
  },
  {
    name: "a tool without a manual",
    spec: "tools:\n  weather: { use: http-get, url: 'https://example.com', description: Weather of a city on a day., input: { city: string } }\nstrategy: react\n",
    found: [["LW-TOOL-NO-MANUAL", 5, 70]],
    fixes: [
      "write a `description:` with four sentences: what it is for, when to use it, when not, what comes back",
    ],
    says: "the description of `weather` does not say when to use it, when not or what comes back",
  },
  {
    name: "a tool that must run once, named for each of several items",
    spec: "inputs: { ids: { type: array, items: string } }\ntools: [{ orders/update-address: { approval: { when: args.orderId in inputs.ids } } }]\nstrategy:\n  - for-each: { id: all, in: inputs.ids, item: one, maxItems: 5, do: { react: { tools: { orders/update-address: {} } } } }\n  - direct: { prompt: '{{ results.all }}' }\n",
    found: [
      ["LW-TOOL-LOOSENED-APPROVAL", 5, 46],
      ["LW-TOOL-ONCE-SAMPLED", 7, 90],
    ],
    fixes: [
      "write `approval: always`, or keep it so on purpose",
      "write `tools: read` here, and act in a stage after `all`",
    ],
  },
];
