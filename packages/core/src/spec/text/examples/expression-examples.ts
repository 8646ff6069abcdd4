import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-EXPR`. */
export const expressionExamples: Readonly<Record<CodesOf<"LW-EXPR">, DiagnosticExample>> = {
  "LW-EXPR-SYNTAX": {
    why: "A condition is an expression in CEL: `&&`, `||`, `!`, comparisons, and a few functions.",
    wrong: `strategy:
  - direct
  - verify
  - refine: { when: "verdict.passed &&" }`,
    right: `strategy:
  - direct
  - verify
  - refine: { when: "!verdict.passed" }`,
  },
  "LW-EXPR-TYPE": {
    why: "A condition is true or false. Text or a number is neither, and a comparison of two kinds is never what was meant.",
    wrong: `strategy:
  - direct
  - verify: { when: answer.text }`,
    right: `strategy:
  - direct
  - verify: { when: "answer.text != ''" }`,
  },
  "LW-EXPR-UNKNOWN": {
    why: "An expression can read the state, the inputs that are declared, and `results.<id>` of the stages there are.",
    wrong: `strategy:
  - direct
  - verify: { when: answer.solveable }`,
    right: `strategy:
  - direct
  - verify: { when: answer.solvable }`,
  },
  "LW-EXPR-NEVER-TRUE": {
    why: "The comparison names a value that the field never has, so what it guards would never run.",
    wrong: `strategy:
  - direct
  - verify
  - refine: { when: "verdict.outcome == 'passed'" }`,
    right: `strategy:
  - direct
  - verify
  - refine: { when: "verdict.outcome == 'revise'" }`,
  },
  "LW-EXPR-ALWAYS-TRUE": {
    why: "A guard that always holds guards nothing: leave it out, or say the condition that was meant.",
    wrong: `strategy:
  - direct
  - verify
  - refine: { when: "true" }`,
    right: `strategy:
  - direct
  - verify
  - refine: { when: "!verdict.passed" }`,
  },
};
