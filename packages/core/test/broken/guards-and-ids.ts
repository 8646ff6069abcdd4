import type { BrokenCase } from "./broken-case.ts";

/** Guards, ids and settings of stages. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a guard that is never true",
    spec: "strategy:\n  - direct\n  - verify\n  - refine: { when: \"verdict.outcome == 'passed'\" }\n",
    found: [["LW-EXPR-NEVER-TRUE", 7, 41]],
    fixes: ["did you mean 'pass'?"],
    says: "pass",
  },
  {
    name: "a guard that is no boolean",
    spec: "strategy:\n  - direct: { when: answer.text }\n",
    found: [["LW-EXPR-TYPE", 5, 21]],
    fixes: ["compare it, like answer.text != ''"],
  },
  {
    name: "a guard over an unknown stage",
    spec: "strategy:\n  - ask: { question: Why? }\n  - direct: { when: results.aks.answered }\n",
    found: [["LW-EXPR-UNKNOWN", 6, 29]],
    fixes: ["did you mean `ask`?"],
    says: "did you mean `ask`",
  },
  {
    name: "a malformed guard",
    spec: 'strategy:\n  - direct: { when: "verdict.passed &&" }\n',
    found: [["LW-EXPR-SYNTAX", 5, 39]],
    fixes: ["write what stands on the right of `&&`, or delete it"],
  },
  {
    name: "an id that is not kebab-case",
    spec: "strategy:\n  - direct: { id: Final_Answer }\n",
    found: [["LW-VALUE-ID", 5, 19]],
    fixes: ["write `id: final-answer`"],
    says: "final-answer",
  },
  {
    name: "an id twice",
    spec: "strategy:\n  - plan: { id: first }\n  - direct: { id: first }\n",
    found: [["LW-SPEC-ID-CLASH", 6, 19]],
    fixes: ["write `id: first-2`"],
    says: "line 5",
  },
  {
    name: "an id that an unnamed stage has",
    spec: "strategy:\n  - plan: { id: direct }\n  - direct\n",
    found: [["LW-SPEC-ID-CLASH", 5, 17]],
    fixes: ["write `id: direct-2`"],
  },
  {
    name: "a reserved id",
    spec: "strategy:\n  - direct: { id: output }\n",
    found: [["LW-SPEC-ID-CLASH", 5, 19]],
    fixes: ["write `id: my-output`"],
  },
  {
    name: "a quoted boolean",
    spec: 'strategy:\n  - direct: { always: "yes" }\n',
    found: [["LW-VALUE-BOOLEAN-EXPECTED", 5, 23]],
    fixes: ["write `always: true`"],
    says: "write `always: true`",
  },
  {
    name: "an unknown answer to errors",
    spec: "strategy:\n  - direct: { onError: ignore }\n",
    found: [["LW-VALUE-CHOICE", 5, 24]],
    fixes: ["write `onError: fail` or `onError: continue`"],
  },
  {
    name: "an example without an answer",
    spec: "strategy:\n  - direct: { examples: [{ task: two }] }\n",
    found: [["LW-SPEC-MISSING-KEY", 5, 26]],
    fixes: ["add `answer: ...`"],
  },
  {
    name: "a number as an example's answer",
    spec: "strategy:\n  - direct: { examples: [{ task: two, answer: 2 }] }\n",
    found: [["LW-VALUE-TEXT-EXPECTED", 5, 47]],
    fixes: ['write `answer: "2"`'],
    says: 'answer: "2"',
  },
];
