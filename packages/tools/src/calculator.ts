import { defineTool, type ToolDefinition, Type } from "@loopwright/core/plugin";
import { evaluateExpression } from "./calculator/evaluate-expression.ts";

const input = Type.Object({
  expression: Type.String({
    description:
      "Plain arithmetic, for example (249 - 40) * 0.92 or ceil(5 / 2) or round(10 / 3, 2).",
  }),
});

const output = Type.Union([Type.Number(), Type.String()]);

/** Computes arithmetic exactly, without running code. */
export const calculator: ToolDefinition = defineTool({
  id: "calculator",
  description: `Computes one arithmetic expression exactly.
Use it for every sum, product, ratio, percentage or rounding that the answer rests on, also for easy ones.
Do not use it for dates, units, currencies, equations with unknowns or text: put plain numbers in first.
Operators: + - * / ^ ( ) and % (17 % 5 is the remainder 2; 20% * 50 is 10). Functions: abs, ceil, floor, max, min, mod, pow, round (round(x, decimals)), sqrt. Constant: pi. A comma separates thousands (1,250) or arguments (max(1, 2)).
It returns the number alone, with 15 significant digits where it has no end; whole numbers beyond 2^53 come as text. What can be read in two ways, unknown names, a division by zero and expressions beyond 500 characters are errors that say what to write.`,
  options: Type.Object({}),
  input,
  output,
  effect: "read",
  policy: { timeoutMs: 500 },
  create:
    () =>
    ({ expression }) =>
      evaluateExpression(expression),
});
