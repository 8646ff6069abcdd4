import { isLoopwrightError } from "@loopwright/core/plugin";
import { Parser } from "expr-eval-fork";
import { type Fraction, fromNumber, toNumber } from "./fraction.ts";
import { asFraction, binaryOperators, functions, table, unaryOperators } from "./operations.ts";
import { expressionError, readExpression } from "./read-expression.ts";

const maxShownDigits = 40;
const names: ReadonlySet<string> = new Set([...Object.keys(functions), "pi"]);
const parser = arithmeticParser();

/** Computes an arithmetic expression exactly; numbers that have no short form are rounded to 15 significant digits. */
export function evaluateExpression(text: string): number | string {
  const expression = readExpression(text, names);
  return show(asFraction(parse(expression)));
}

function parse(expression: string): unknown {
  try {
    return parser.parse(expression).evaluate(Object.create(null) as Record<string, never>);
  } catch (fault) {
    if (isLoopwrightError(fault)) throw fault;
    throw expressionError(
      `"${expression}" is not a complete expression; check its parentheses and operators.`,
    );
  }
}

function arithmeticParser(): Parser {
  const made = new Parser({
    allowMemberAccess: false,
    operators: {
      assignment: false,
      fndef: false,
      concatenate: false,
      comparison: false,
      conditional: false,
      logical: false,
      in: false,
      factorial: false,
      random: false,
    },
  });
  return Object.assign(made, {
    functions,
    consts: table({ pi: fromNumber(Math.PI) }),
    unaryOps: unaryOperators,
    binaryOps: binaryOperators,
  });
}

function show(value: Fraction): number | string {
  if (value.bottom === 1n) {
    const whole = Number(value.top);
    if (Number.isSafeInteger(whole)) return whole;
    const digits = value.top.toString();
    if (digits.length <= maxShownDigits) return digits;
  }
  const shown = toNumber(value);
  if (!Number.isFinite(shown) || (shown === 0 && value.top !== 0n))
    throw expressionError("The result is too large or too small to show.");
  return shown;
}
