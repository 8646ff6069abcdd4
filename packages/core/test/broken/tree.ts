import type { BrokenCase } from "./broken-case.ts";

/** Strategies of the spec itself, and slots with several children. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a named strategy that shadows a plugin",
    spec: "strategies: { react: direct }\nstrategy: direct\n",
    found: [["LW-SPEC-STRATEGY-NAME", 4, 15]],
    suggestion: "choose another name: `my-react`",
  },
  {
    name: "a named strategy in camelCase",
    spec: "strategies: { deepAnswer: direct }\nstrategy: deepAnswer\n",
    found: [["LW-SPEC-STRATEGY-NAME", 4, 15]],
    suggestion: "write `deep-answer:`",
  },
  {
    name: "strategies as a list",
    spec: "strategies: [direct]\nstrategy: direct\n",
    found: [["LW-VALUE-MAP-EXPECTED", 4, 13]],
  },
  {
    name: "a strategy that contains itself",
    spec: "strategies:\n  deep: { loop: { maxRounds: 2, do: deep } }\nstrategy: deep\n",
    found: [["LW-SPEC-STRATEGY-CYCLE", 5, 37]],
    says: "deep → deep",
  },
  {
    name: "strategies in a circle",
    spec: "strategies:\n  one: [direct, two]\n  two: [direct, three]\n  three: one\nstrategy: one\n",
    found: [["LW-SPEC-STRATEGY-CYCLE", 7, 10]],
    says: "one → two → three → one",
  },
  {
    name: "strategies that nobody uses and that contain each other",
    spec: "strategies:\n  one: [direct, two]\n  two: one\nstrategy: direct\n",
    found: [["LW-SPEC-STRATEGY-CYCLE", 6, 8]],
    says: "one → two → one",
  },
  {
    name: "a misspelt named strategy",
    spec: "strategies: { deep-answer: direct }\nstrategy: [deep-answer, deep-anser]\n",
    found: [["LW-PLUGIN-UNKNOWN", 5, 25]],
    says: "did you mean `deep-answer`",
  },
  {
    name: "options of a named strategy",
    spec: "strategies: { deep: direct }\nstrategy: [{ deep: { maxSteps: 3 } }]\n",
    found: [["LW-STAGE-FORM", 5, 14]],
    says: "takes no options",
  },
  {
    name: "a fault inside a named strategy, once for two uses",
    spec: "strategies:\n  deep: { react: { maxStep: 3, tools: none } }\nstrategy: [deep, deep]\n",
    found: [["LW-STAGE-UNKNOWN-OPTION", 5, 20]],
    says: "spec.yaml:6",
  },
  {
    name: "a fault inside a strategy that nobody uses",
    spec: "strategies:\n  deep: { ask: { question: Why?, timeout: 5 } }\nstrategy: direct\n",
    found: [
      ["LW-FLOW-UNREACHABLE", 5, 3],
      ["LW-VALUE-DURATION", 5, 43],
    ],
  },
  {
    name: "an id in a strategy that is used twice",
    spec: "strategies: { deep: { direct: { id: deep } } }\nstrategy: [deep, deep]\n",
    found: [["LW-SPEC-ID-CLASH", 4, 37]],
    suggestion: "leave `id:` out, or use it once",
  },
  {
    name: "strategies that expand without end in sight",
    spec: "strategies:\n  a: [b, b, b, b, b, b, b, b]\n  b: [c, c, c, c, c, c, c, c]\n  c: [d, d, d, d, d, d, d, d]\n  d: [direct, direct, direct, direct, direct]\nstrategy: a\n",
    found: [["LW-SPEC-TOO-LARGE", 5, 22]],
    says: "more than 2,000 stages",
  },
  {
    name: "branches that are missing",
    spec: "strategy: [{ parallel: {} }]\n",
    found: [["LW-STAGE-MISSING-SLOT", 4, 14]],
    suggestion: "write `branches:` with a map of names, each with a stage or a list of stages",
  },
  {
    name: "branches without one",
    spec: "strategy: [{ parallel: { branches: {} } }]\n",
    found: [["LW-STAGE-EMPTY", 4, 36]],
  },
  {
    name: "branches as a list",
    spec: "strategy: [{ parallel: { branches: [direct, plan] } }]\n",
    found: [["LW-VALUE-MAP-EXPECTED", 4, 36]],
    suggestion: "give each a name: `branches: { first: ..., second: ... }`",
  },
  {
    name: "a stage where a branch's name belongs",
    spec: "strategy: [{ parallel: { branches: { react: { maxSteps: 3 } } } }]\n",
    found: [["LW-STAGE-FORM", 4, 38]],
    says: "`branches: { NAME: { react: ... } }`",
  },
  {
    name: "a branch in camelCase",
    spec: "strategy: [{ parallel: { branches: { firstOne: direct } } }]\n",
    found: [["LW-VALUE-ID", 4, 38]],
    suggestion: "write `first-one:`",
  },
  {
    name: "a fault two branches deep",
    spec: "strategy:\n  - parallel:\n      branches:\n        left: { parallel: { branches: { inner: { ask: { question: Why?, timeout: 5 } } } } }\n        right: direct\n",
    found: [["LW-VALUE-DURATION", 7, 82]],
  },
  {
    name: "a branch called as a stage elsewhere",
    spec: "strategy:\n  - plan\n  - parallel:\n      branches: { plan: direct }\n      combine: { ask: { question: '{{ results.plan.text }}' } }\n",
    found: [["LW-SPEC-ID-CLASH", 7, 19]],
    says: "`results.plan` could be either",
  },
  {
    name: "a result of a branch outside of `combine`",
    spec: "strategy:\n  - parallel:\n      branches: { left: direct }\n  - ask: { question: '{{ results.left.text }}' }\n",
    found: [["LW-TEMPLATE-PATH", 7, 26]],
  },
  {
    name: "an unknown branch in `combine`",
    spec: "strategy:\n  - parallel:\n      branches: { left: direct }\n      combine: { ask: { question: '{{ results.lefd.text }}' } }\n",
    found: [["LW-TEMPLATE-PATH", 7, 39]],
    says: "did you mean `left`",
  },
  {
    name: "cases that are missing",
    spec: "strategy: [{ choose: {} }]\n",
    found: [["LW-STAGE-MISSING-SLOT", 4, 14]],
    suggestion: "write `cases: { NAME: { ..., do: ... } }`",
  },
  {
    name: "a case without a description",
    spec: "strategy: [{ choose: { cases: { small: { do: direct } } } }]\n",
    found: [["LW-SPEC-MISSING-KEY", 4, 40]],
    says: "needs `description`",
  },
  {
    name: "a case without stages",
    spec: "strategy: [{ choose: { cases: { small: { description: Small. } } } }]\n",
    found: [["LW-STAGE-MISSING-SLOT", 4, 33]],
    says: "needs `do`",
  },
  {
    name: "a case that is a stage",
    spec: "strategy: [{ choose: { cases: { small: direct } } }]\n",
    found: [["LW-STAGE-FORM", 4, 40]],
    suggestion: "write `small: { ..., do: direct }`",
  },
  {
    name: "a stage straight in a case",
    spec: "strategy:\n  - choose:\n      cases:\n        small:\n          description: Small.\n          react: { maxSteps: 3, tools: none }\n",
    found: [["LW-STAGE-MISPLACED-OPTION", 9, 11]],
    suggestion: "write `do: { react: ... }`",
  },
  {
    name: "an unknown key of a case",
    spec: "strategy: [{ choose: { cases: { small: { description: Small., wen: now, do: direct } } } }]\n",
    found: [["LW-SPEC-UNKNOWN-KEY", 4, 63]],
  },
  {
    name: "one try that is no list",
    spec: "strategy: [{ fallback: { try: direct } }]\n",
    found: [["LW-VALUE-LIST-EXPECTED", 4, 31]],
    suggestion: "write `try: [direct]`",
  },
  {
    name: "a fallback without a try",
    spec: "strategy: [{ fallback: { try: [] } }]\n",
    found: [["LW-STAGE-EMPTY", 4, 31]],
  },
  {
    name: "a branch without `then`",
    spec: "strategy: [direct, { branch: { if: answer.solvable, else: direct } }]\n",
    found: [["LW-STAGE-MISSING-SLOT", 4, 22]],
    suggestion: "write `then:` with a stage or a list of stages",
  },
  {
    name: "an unknown option of an unknown strategy's child",
    spec: "strategy:\n  - lop:\n      maxRounds: 2\n      do: { ask: { question: Why?, timeout: 5 } }\n  - direct\n",
    found: [
      ["LW-PLUGIN-UNKNOWN", 5, 5],
      ["LW-VALUE-DURATION", 7, 45],
    ],
    says: "did you mean `loop`",
  },
  {
    name: "faults of several kinds in one pass",
    spec: "strategy:\n  - verify\n  - react: { maxStep: 3 }\nlimits: { usd: 1 }\noutput: { fields: { a: strin } }\n",
    found: [
      ["LW-FLOW-NEVER-WRITTEN", 5, 5],
      ["LW-STAGE-UNKNOWN-OPTION", 6, 14],
      ["LW-VALUE-FIELD-TYPE", 8, 24],
    ],
  },
  {
    name: "one prompt for the two voices of a method",
    spec: "strategy: [direct, { verify: { method: cove-factored, prompt: Ask. } }]\n",
    found: [["LW-MODEL-UNKNOWN-VOICE", 4, 63]],
    says: "speaks as ask, answer",
  },
  {
    name: "a model for one of the two voices of a method",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nstrategy:\n  - direct: { model: ollama/s }\n  - verify: { method: cove-factored, model: { ask: ollama/s } }\n",
    found: [["LW-STAGE-NO-MODEL", 5, 45]],
    says: "has no model for `answer`",
  },
];
