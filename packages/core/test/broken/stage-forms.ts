import type { BrokenCase } from "./broken-case.ts";

/** The form of stages, and their options. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a misspelt strategy",
    spec: "strategy: [plann, direct]\n",
    found: [["LW-PLUGIN-UNKNOWN", 4, 12]],
    says: "did you mean `plan`",
  },
  {
    name: "a tool where a strategy belongs",
    spec: "strategy: calculator\n",
    found: [["LW-PLUGIN-KIND", 4, 11]],
    says: "is a tool, not a strategy",
  },
  {
    name: "an option beside its stage",
    spec: "strategy:\n  - react: {}\n    maxSteps: 6\n",
    found: [["LW-STAGE-MISPLACED-OPTION", 6, 5]],
    says: "indent it by 2 more, or write `- react: { maxSteps: 6 }`",
  },
  {
    name: "an option beside a bare stage",
    spec: "strategy:\n  - react:\n    maxSteps: 6\n",
    found: [["LW-YAML-NULL", 5, 5]],
  },
  {
    name: "two stages in one map",
    spec: "strategy:\n  - plan: {}\n    direct: {}\n",
    found: [["LW-STAGE-FORM", 6, 5]],
    says: "- direct: ...",
  },
  {
    name: "a number as a stage",
    spec: "strategy: [direct, 7]\n",
    found: [["LW-STAGE-FORM", 4, 20]],
  },
  {
    name: "options as a number",
    spec: "strategy:\n  - react: 6\n",
    found: [["LW-STAGE-FORM", 5, 12]],
  },
  {
    name: "stages straight under a strategy",
    spec: "strategy:\n  - loop:\n      - direct\n",
    found: [["LW-STAGE-FORM", 6, 7]],
    says: "do: [direct]",
  },
  { name: "an empty list of stages", spec: "strategy: []\n", found: [["LW-STAGE-EMPTY", 4, 11]] },
  {
    name: "an unknown option",
    spec: "strategy:\n  - react: { maxStep: 6 }\n",
    found: [["LW-STAGE-UNKNOWN-OPTION", 5, 14]],
    says: "did you mean `maxSteps`",
  },
  {
    name: "a slot in kebab",
    spec: "strategy:\n  - direct\n  - verify: { Revise: refine }\n",
    found: [["LW-STAGE-UNKNOWN-OPTION", 6, 15]],
    says: "did you mean `revise`",
  },
  {
    name: "a missing option",
    spec: "strategy:\n  - recall\n  - direct\n",
    found: [["LW-STAGE-MISSING-OPTION", 5, 5]],
    says: "needs `from`",
  },
  {
    name: "a missing slot",
    spec: "strategy:\n  - loop: { maxRounds: 2 }\n",
    found: [["LW-STAGE-MISSING-SLOT", 5, 5]],
  },
  {
    name: "text in a number field",
    spec: "strategy:\n  - react: { maxSteps: six }\n",
    found: [["LW-VALUE-NUMBER-EXPECTED", 5, 24]],
    says: "not `six`",
  },
  {
    name: "a quoted number in a number field",
    spec: 'strategy:\n  - react: { maxSteps: "6" }\n',
    found: [["LW-VALUE-NUMBER-EXPECTED", 5, 24]],
    says: "write `maxSteps: 6`",
  },
  {
    name: "a fraction of a step",
    spec: "strategy:\n  - react: { maxSteps: 1.5 }\n",
    found: [["LW-VALUE-TYPE", 5, 24]],
  },
  {
    name: "too few steps",
    spec: "strategy:\n  - react: { maxSteps: 0 }\n",
    found: [["LW-VALUE-RANGE", 5, 24]],
    says: "at least 1",
  },
  {
    name: "too many steps",
    spec: "strategy:\n  - react: { maxSteps: 101 }\n",
    found: [["LW-VALUE-RANGE", 5, 24]],
    says: "at most 100",
  },
  {
    name: "a value that is none of the allowed",
    spec: "strategy:\n  - react: { mode: nativ }\n",
    found: [["LW-VALUE-CHOICE", 5, 20]],
    says: "did you mean `native`",
  },
  {
    name: "a duration without a unit",
    spec: "strategy:\n  - ask: { question: Why?, timeout: 5 }\n  - direct\n",
    found: [["LW-VALUE-DURATION", 5, 37]],
    says: "a duration needs a unit: 5s? 5ms?",
  },
  {
    name: "no duration at all",
    spec: "strategy:\n  - ask: { question: Why?, timeout: soon }\n  - direct\n",
    found: [["LW-VALUE-DURATION", 5, 37]],
  },
  {
    name: "numbers in a list of texts",
    spec: "strategy:\n  - ask: { question: Why?, options: [1, two] }\n  - direct\n",
    found: [["LW-VALUE-TEXT-EXPECTED", 5, 38]],
    says: 'write "1"',
  },
  {
    name: "a list that is too short",
    spec: "strategy:\n  - ask: { question: Why?, options: [two] }\n  - direct\n",
    found: [["LW-VALUE-RANGE", 5, 37]],
  },
  {
    name: "an unknown key deep inside",
    spec: "strategy:\n  - ask: { question: Why?, limits2: { token: 3 } }\n  - direct\n",
    found: [["LW-SPEC-UNKNOWN-KEY", 5, 39]],
    says: "did you mean `tokens`",
  },
  {
    name: "an unknown path in a template",
    spec: 'strategy:\n  - ask: { question: "Why {{ answer.txt }}?" }\n  - direct\n',
    found: [["LW-TEMPLATE-PATH", 5, 30]],
    says: "did you mean `text`",
  },
  {
    name: "a malformed template",
    spec: 'strategy:\n  - ask: { question: "Why {{ answer.text ?" }\n  - direct\n',
    found: [["LW-TEMPLATE-SYNTAX", 5, 27]],
  },
];
