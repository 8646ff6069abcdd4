import {
  type CheckDefinition,
  type CheckResult,
  defineCheck,
  type Issue,
  type RunState,
  template,
  Type,
} from "@loopwright/core/plugin";
import { findEquations } from "./arithmetic/equations.ts";
import { judgeAnswerLine } from "./arithmetic/judge-answer-line.ts";
import { holds, rightValueOf } from "./arithmetic/judge-equation.ts";
import { fraction, type Fraction, fromDecimal } from "./shared/fraction.ts";

const options = Type.Object({
  equals: Type.Optional(
    Type.Union([Type.Number(), template()], {
      description: "The value that the last line of the answer must have, exactly.",
    }),
  ),
  uses: Type.Optional(
    Type.Union([Type.Array(Type.Number()), template()], {
      description:
        "The whole numbers that the last line must use, each exactly as often as listed here.",
    }),
  ),
  tolerance: Type.Number({
    minimum: 0,
    default: 0,
    description: "How far a value may lie from the right one.",
  }),
});

/**
 * Recomputes the equations of an answer exactly; with `equals` or `uses` it judges the answer's last line alone, as the
 * Game of 24 of Tree of Thoughts does (Yao et al. 2023).
 */
export const arithmetic: CheckDefinition = defineCheck({
  id: "arithmetic",
  description:
    "Recomputes every equation of the answer and its reasoning, or holds the last line against a value and the numbers it must use.",
  options,
  run: (state, _context, { equals, uses, tolerance }) => {
    const allowed = toFraction(tolerance);
    if (equals === undefined && uses === undefined) return judgeEquations(state, allowed);
    if (!state.answer.solvable) return { issues: [] };
    return { issues: judgeAnswerLine(state.answer.text, { equals, uses, tolerance: allowed }) };
  },
});

function judgeEquations({ answer }: RunState, tolerance: Fraction): CheckResult {
  const issues = new Map<string, Issue>();
  for (const equation of findEquations(`${answer.reasoning}\n${answer.text}`)) {
    if (holds(equation, tolerance)) continue;
    const right = `${equation.left} = ${rightValueOf(equation)}`;
    issues.set(equation.text, {
      kind: "contradiction",
      detail: `"${equation.text}" is false; it is ${right}.`,
      requiredAction: `Write "${right}" and mend everything that rests on the false value.`,
      needs: "rewrite",
    });
  }
  return { issues: [...issues.values()] };
}

function toFraction(tolerance: number): Fraction {
  return tolerance > 0 ? fromDecimal(String(tolerance)) : fraction(0n);
}
