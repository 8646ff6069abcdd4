import type { BrokenCase } from "./broken-case.ts";

/** Declarations of fields, substitutions, templates and expressions. */
export const cases: readonly BrokenCase[] = [
  {
    name: "inputs as a list",
    spec: "inputs: [city]\nstrategy: direct\n",
    found: [["LW-VALUE-FIELDS", 4, 9]],
    fixes: ["write { name: string, count: integer? }"],
  },
  {
    name: "an input with a dash in its name",
    spec: "inputs: { order-id: string }\nstrategy: direct\n",
    found: [["LW-VALUE-FIELD-NAME", 4, 11]],
    fixes: ["write `orderId`"],
  },
  {
    name: "a default of another type",
    spec: "inputs: { days: { type: integer, default: two } }\nstrategy: direct\n",
    found: [["LW-VALUE-FIELD-DEFAULT", 4, 43]],
    fixes: ["write `default: 1`, or another value that is integer"],
  },
  {
    name: "allowed values of which one is a number",
    spec: "inputs: { size: [small, 2] }\nstrategy: direct\n",
    found: [["LW-VALUE-ENUM", 4, 25]],
    fixes: ['quote it: "2"'],
  },
  {
    name: "allowed values of which one is there twice",
    spec: "inputs: { size: [small, small] }\nstrategy: direct\n",
    found: [["LW-VALUE-ENUM", 4, 25]],
    fixes: ["delete one of the two"],
  },
  {
    name: "no allowed values",
    spec: "inputs: { size: [] }\nstrategy: direct\n",
    found: [["LW-VALUE-ENUM", 4, 17]],
    fixes: ["write the values, like [low, high]"],
  },
  {
    name: "a substitution that is never closed",
    spec: 'description: "${env:NAME"\nstrategy: direct\n',
    found: [["LW-SUBST-SYNTAX", 4, 14]],
    fixes: ["write the `}`, or `$${` for a literal `${`"],
  },
  {
    name: "a substitution without a name",
    spec: 'description: "${file:}"\nstrategy: direct\n',
    found: [["LW-SUBST-SYNTAX", 4, 14]],
    fixes: ["write ${file:PATH}"],
  },
  {
    name: "a substitution of an unknown kind",
    spec: 'description: "${evn:NAME}"\nstrategy: direct\n',
    found: [["LW-SUBST-UNKNOWN", 4, 14]],
    fixes: ["did you mean `env`?"],
  },
  {
    name: "a shell's variable",
    spec: 'description: "${HOME}"\nstrategy: direct\n',
    found: [["LW-SUBST-UNKNOWN", 4, 14]],
    fixes: ["write ${env:HOME}, or $${HOME} for the literal text"],
  },
  {
    name: "a template that repeats over a text",
    spec: "strategy:\n  - direct\n  - ask: { question: 'Is it {{# answer.text }}{{ item }}{{/ answer.text }}?' }\n  - direct: { id: again, when: results.ask.answered }\n",
    found: [["LW-TEMPLATE-TYPE", 6, 33]],
    fixes: ["write `{{ answer.text }}` without repeating"],
  },
  {
    name: "a section of a template that is never closed",
    spec: "strategy:\n  - direct: { prompt: 'See {{# observations }}{{ item.text }}' }\n",
    found: [["LW-TEMPLATE-SYNTAX", 5, 32]],
    fixes: ["write `{{/ observations }}` after what is repeated"],
  },
  {
    name: "an end of a template that closes another section",
    spec: "task: 'See {{# inputs.rows }}{{ item }}{{/ inputs.row }}'\ninputs: { rows: { type: array, items: string } }\nstrategy: direct\n",
    found: [["LW-TEMPLATE-SYNTAX", 4, 40]],
    fixes: ["write `{{/ inputs.rows }}`"],
  },
  {
    name: "a tag of a template that is no path",
    spec: "task: 'See {{ size(plan.steps) }}'\nstrategy: direct\n",
    found: [["LW-TEMPLATE-SYNTAX", 4, 12]],
    fixes: ["write a path, like `{{ inputs.city }}`, or `{{{{` for a literal `{{`"],
  },
  {
    name: "an input that the spec does not declare",
    spec: "task: 'Go to {{ inputs.city }}'\nstrategy:\n  - direct: { when: inputs.fast }\n",
    found: [
      ["LW-TEMPLATE-PATH", 4, 17],
      ["LW-EXPR-UNKNOWN", 6, 28],
    ],
    fixes: [
      "this spec declares no inputs; write `inputs: { city: string }`, or its other type",
      "this spec declares no inputs; write `inputs: { fast: string }`, or its other type",
    ],
  },
  {
    name: "a field below a text",
    spec: "strategy:\n  - direct\n  - refine: { when: answer.text.size > 3 }\n  - verify: { id: again }\n",
    found: [
      ["LW-FLOW-NEVER-WRITTEN", 6, 5],
      ["LW-EXPR-UNKNOWN", 6, 33],
    ],
    fixes: [
      "move `again` (line 7) before it, or put another stage that writes `verdict` there",
      "write `answer.text` alone",
    ],
  },
  {
    name: "a guard that is always true",
    spec: "strategy:\n  - direct: { when: true }\n",
    found: [["LW-EXPR-ALWAYS-TRUE", 5, 21]],
    fixes: ["delete `when`, or write a condition that depends on the run"],
  },
  {
    name: "an expression without its last bracket",
    spec: "strategy:\n  - direct: { when: 'size(task.text > 2' }\n",
    found: [["LW-EXPR-SYNTAX", 5, 40]],
    fixes: ["add the missing `)`"],
  },
  {
    name: "an expression with one `=`",
    spec: "strategy:\n  - direct: { when: task.text = 'x' }\n",
    found: [["LW-EXPR-SYNTAX", 5, 31]],
    fixes: ["write `==`"],
  },
  {
    name: "a comparison of a text with a number",
    spec: "strategy:\n  - direct: { when: task.text == 2 }\n",
    found: [["LW-EXPR-NEVER-TRUE", 5, 21]],
    fixes: ["a text is written in single quotes: '2'"],
  },
  {
    name: "a sum of a number and a text",
    spec: "inputs: { n: number }\nstrategy:\n  - direct: { when: inputs.n + task.text == 'x' }\n",
    found: [["LW-EXPR-TYPE", 6, 21]],
    fixes: ["turn the number into text with string(…)"],
  },
  {
    name: "an unknown function",
    spec: "strategy:\n  - direct: { when: length(task.text) > 2 }\n",
    found: [["LW-EXPR-TYPE", 5, 21]],
    fixes: ["known: size, int, double, string, round, floor, ceil, abs, min, max, has"],
  },
  {
    name: "a function without its argument",
    spec: "strategy:\n  - direct: { when: size() > 2 }\n",
    found: [["LW-EXPR-TYPE", 5, 21]],
    fixes: ["add 1 more"],
  },
  {
    name: "a value that no enumeration holds and that is near to none",
    spec: "task: { constraints: [Be short.] }\nstrategy:\n  - direct\n  - verify: { checks: [constraints] }\n  - refine: { when: \"verdict.outcome == 'excellent'\" }\n",
    found: [["LW-EXPR-NEVER-TRUE", 8, 41]],
    fixes: ["write one of 'none', 'pass', 'revise', 'fail', 'stale'"],
  },
  {
    name: "a model without its provider and one without its name",
    spec: "models: { one: ollama/, two: { temperature: 0 }, three: { use: ollama/s, extends: one } }\nstrategy: direct\n",
    found: [
      ["LW-MODEL-FORM", 4, 16],
      ["LW-MODEL-FORM", 4, 30],
      ["LW-SPEC-EXCLUSIVE-KEYS", 4, 74],
    ],
    fixes: [
      "write `ollama/NAME`",
      "add `use: provider/name`, or `extends: ROLE`",
      "delete `use` or `extends`",
    ],
  },
  {
    name: "`none` as a fallback",
    spec: "models: { one: { use: ollama/s, fallback: [none] } }\nstrategy: { direct: { model: one } }\n",
    found: [["LW-MODEL-FORM", 4, 44]],
    fixes: ["write provider/name or a role, or delete it"],
  },
  {
    name: "an option that a stage of no options does not have",
    spec: "strategy:\n  - direct: { frobnicate: 3 }\n",
    found: [["LW-STAGE-UNKNOWN-OPTION", 5, 15]],
    fixes: [
      "known: id, when, always, model, instructions, prompt, examples, tools, limits, onError (of every stage)",
    ],
  },
  {
    name: "a short id that fits two tools",
    spec: "tools: [query]\nstrategy: react\n",
    found: [["LW-PLUGIN-AMBIGUOUS", 4, 9]],
    fixes: ["write the full id: `orders/query` or `parcels/query`"],
  },
  {
    name: "a tool's address with a password",
    spec: "tools:\n  web: { use: http-get, url: 'https://me:word@example.com', description: 'Reads a page. Use it when asked, not twice. It returns text.', input: { q: string } }\nstrategy: react\n",
    found: [["LW-TOOL-OPTIONS", 5, 25]],
    fixes: ["put them into a header"],
  },
  {
    name: "a sink that is near to none",
    spec: "strategy: direct\nsinks: [telegraph]\n",
    found: [["LW-PLUGIN-UNKNOWN", 5, 9]],
    fixes: ["installed here: console, jsonl, journal"],
  },
];
