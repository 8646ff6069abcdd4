import type { BrokenCase } from "./broken-case.ts";

/** Memories, sinks, the output, checks, the flow, limits and the task. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a memory that is not listed",
    spec: "memory: { lessons: { use: file, path: l.jsonl } }\nstrategy:\n  - recall: { from: lesons }\n  - direct\n",
    found: [["LW-SPEC-MEMORY", 6, 21]],
    says: "did you mean `lessons`",
  },
  {
    name: "a path out of the project",
    spec: "memory: { lessons: { use: file, path: ../../l.jsonl } }\nstrategy: direct\n",
    found: [["LW-FILE-OUTSIDE-ROOT", 4, 39]],
  },
  {
    name: "an unknown sink",
    spec: "strategy: direct\nsinks: [consol]\n",
    found: [["LW-PLUGIN-UNKNOWN", 5, 9]],
    says: "did you mean `console`",
  },
  {
    name: "`use` in a list",
    spec: "strategy: direct\nsinks: [{ log: { use: console } }]\n",
    found: [
      ["LW-PLUGIN-UNKNOWN", 5, 11],
      ["LW-SPEC-EXCLUSIVE-KEYS", 5, 18],
    ],
  },
  {
    name: "fields and schema",
    spec: "strategy: direct\noutput: { fields: { a: string }, schema: { type: object } }\n",
    found: [["LW-SPEC-EXCLUSIVE-KEYS", 5, 34]],
  },
  {
    name: "a field called reasoning",
    spec: "strategy: direct\noutput: { reasoning: first, fields: { reasoning: string } }\n",
    found: [["LW-SPEC-OUTPUT", 5, 39]],
  },
  {
    name: "separate reasoning",
    spec: "strategy: direct\noutput: { reasoning: separate, fields: { a: string } }\n",
    found: [["LW-SPEC-NOT-YET", 5, 22]],
  },
  {
    name: "too many repairs",
    spec: "strategy: direct\noutput: { repair: 6, fields: { a: string } }\n",
    found: [["LW-VALUE-RANGE", 5, 19]],
  },
  {
    name: "an unknown field type",
    spec: "strategy: direct\noutput: { fields: { a: strin } }\n",
    found: [["LW-VALUE-FIELD-TYPE", 5, 24]],
  },
  {
    name: "a rule over an unknown field",
    spec: "strategy: direct\noutput:\n  fields: { total: number }\n  checks: [{ rule: { expr: answer.value.totl > 1, message: Too small. } }]\n",
    found: [["LW-EXPR-UNKNOWN", 7, 41]],
    says: "did you mean `total`",
  },
  {
    name: "an unknown check",
    spec: "strategy: [direct, { verify: { checks: [evidense] } }]\n",
    found: [["LW-PLUGIN-UNKNOWN", 4, 41]],
    says: "did you mean `evidence`",
  },
  {
    name: "checks that are no list",
    spec: "strategy: [direct, { verify: { checks: evidence } }]\n",
    found: [["LW-VALUE-LIST-EXPECTED", 4, 40]],
    says: "checks: [evidence]",
  },
  {
    name: "evidence without tools",
    spec: "strategy: [direct, { verify: { checks: [evidence] } }]\n",
    found: [["LW-FLOW-NEVER-PASSES", 4, 41]],
  },
  {
    name: "rounds without a remedy",
    spec: "strategy: [direct, { verify: { maxRounds: 2 } }]\n",
    found: [["LW-STAGE-OPTIONS", 4, 32]],
  },
  {
    name: "no model and no checks",
    spec: "strategy: [direct, { verify: { model: none } }]\n",
    found: [["LW-STAGE-OPTIONS", 4, 32]],
  },
  {
    name: "a verification of nothing",
    spec: "strategy:\n  - verify\n  - direct\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 5, 5]],
    says: "writers here: `direct` (line 6)",
  },
  {
    name: "a limit without a price",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: kimi/kimi-k3\nstrategy: direct\nlimits: { usd: 1 }\n",
    found: [["LW-LIMIT-NO-PRICE", 5, 16]],
  },
  {
    name: "an unknown limit",
    spec: "strategy: direct\nlimits: { modelCall: 9 }\n",
    found: [["LW-SPEC-UNKNOWN-KEY", 5, 11]],
    says: "did you mean `modelCalls`",
  },
  {
    name: "a count that is none",
    spec: "strategy: direct\nlimits: { tokens: many }\n",
    found: [["LW-VALUE-COUNT", 5, 19]],
  },
  {
    name: "a quoted count",
    spec: 'strategy: direct\nlimits: { modelCalls: "9" }\n',
    found: [["LW-VALUE-NUMBER-EXPECTED", 5, 23]],
  },
  {
    name: "a limit that allows nothing",
    spec: "strategy: [direct, { reflect: { always: true } }]\nlimits: { modelCalls: 3 }\n",
    found: [["LW-LIMIT-UNREACHABLE", 5, 23]],
    says: "at least 4",
  },
  {
    name: "an unset path in the task",
    spec: 'inputs: { city: string }\ntask: "Plan {{ inputs.town }}"\nstrategy: direct\n',
    found: [["LW-TEMPLATE-PATH", 5, 16]],
  },
  {
    name: "a constraint that YAML cut in two",
    spec: "task:\n  constraints:\n    - Never promise: not even once\nstrategy: direct\n",
    found: [["LW-VALUE-TEXT-EXPECTED", 6, 7]],
  },
  {
    name: "a spec that is a list",
    bare: true,
    spec: "- apiVersion\n",
    found: [["LW-VALUE-MAP-EXPECTED", 1, 1]],
  },
  {
    name: "a model without a provider, and nothing that follows from it",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: gpt-4\nstrategy: direct\n",
    found: [["LW-MODEL-UNKNOWN-ROLE", 3, 8]],
  },
  {
    name: "a strategy whose bounds are below its child's",
    spec: "tools: [calculator]\nstrategy:\n  - understated: { do: { react: { maxSteps: 4 } } }\n",
    found: [["LW-PLUGIN-BROKEN", 6, 5]],
    says: "below those of a stage inside it",
  },
  {
    name: "a pattern that is no pattern",
    spec: 'inputs: { id: { type: string, pattern: "(" } }\nstrategy: direct\ntask: "Do {{ inputs.id }}"\n',
    found: [["LW-VALUE-PATTERN", 4, 40]],
    says: "the pattern is malformed",
  },
  { name: "an empty spec", bare: true, spec: "", found: [["LW-FILE-EMPTY", 1, 1]] },
];
