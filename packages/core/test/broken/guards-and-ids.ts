import type { BrokenCase } from "./broken-case.ts";

/** Guards, ids and settings of stages. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a guard that is never true",
    spec: "strategy:\n  - direct\n  - verify\n  - refine: { when: \"verdict.outcome == 'passed'\" }\n",
    found: [["LW-EXPR-NEVER-TRUE", 7, 41]],
    says: "pass",
  },
  {
    name: "a guard that is no boolean",
    spec: "strategy:\n  - direct: { when: answer.text }\n",
    found: [["LW-EXPR-TYPE", 5, 21]],
  },
  {
    name: "a guard over an unknown stage",
    spec: "strategy:\n  - ask: { question: Why? }\n  - direct: { when: results.aks.answered }\n",
    found: [["LW-EXPR-UNKNOWN", 6, 29]],
    says: "did you mean `ask`",
  },
  {
    name: "a malformed guard",
    spec: 'strategy:\n  - direct: { when: "verdict.passed &&" }\n',
    found: [["LW-EXPR-SYNTAX", 5, 39]],
  },
  {
    name: "an id that is not kebab-case",
    spec: "strategy:\n  - direct: { id: Final_Answer }\n",
    found: [["LW-VALUE-ID", 5, 19]],
    says: "final-answer",
  },
  {
    name: "an id twice",
    spec: "strategy:\n  - plan: { id: first }\n  - direct: { id: first }\n",
    found: [["LW-SPEC-ID-CLASH", 6, 19]],
    says: "line 5",
  },
  {
    name: "an id that an unnamed stage has",
    spec: "strategy:\n  - plan: { id: direct }\n  - direct\n",
    found: [["LW-SPEC-ID-CLASH", 5, 17]],
  },
  {
    name: "a reserved id",
    spec: "strategy:\n  - direct: { id: output }\n",
    found: [["LW-SPEC-ID-CLASH", 5, 19]],
  },
  {
    name: "a quoted boolean",
    spec: 'strategy:\n  - direct: { always: "yes" }\n',
    found: [["LW-VALUE-BOOLEAN-EXPECTED", 5, 23]],
    says: "write `always: true`",
  },
  {
    name: "an unknown answer to errors",
    spec: "strategy:\n  - direct: { onError: ignore }\n",
    found: [["LW-VALUE-CHOICE", 5, 24]],
  },
  {
    name: "an example without an answer",
    spec: "strategy:\n  - direct: { examples: [{ task: two }] }\n",
    found: [["LW-SPEC-MISSING-KEY", 5, 26]],
  },
  {
    name: "a number as an example's answer",
    spec: "strategy:\n  - direct: { examples: [{ task: two, answer: 2 }] }\n",
    found: [["LW-VALUE-TEXT-EXPECTED", 5, 47]],
    says: 'answer: "2"',
  },
];
