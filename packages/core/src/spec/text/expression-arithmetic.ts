import { Environment } from "@marcbachmann/cel-js";
import { ExpressionError } from "./expression-error.ts";
import { exceededLength } from "./longest-text.ts";

const maxIterations = 1_000_000;
let iterationsLeft = maxIterations;

/** Runs one evaluation, which is synchronous; repetitions inside repetitions are cut off where they would not end in time. */
export function withinIterations<T>(evaluate: () => T): T {
  iterationsLeft = maxIterations;
  return evaluate();
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map) return value.size;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

/** The environment of emitted expressions: their operators and functions over doubles. */
export const arithmetic: Environment = new Environment({
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 5_000, maxDepth: 1_000 },
})
  .registerFunction("divide(double, double): double", (a: number, b: number) => {
    if (b === 0) throw new ExpressionError("division by zero");
    return a / b;
  })
  .registerFunction("remainder(double, double): double", (a: number, b: number) => {
    if (b === 0) throw new ExpressionError("division by zero");
    return a % b;
  })
  .registerFunction("repeated(dyn): dyn", (value: unknown) => {
    iterationsLeft -= sizeOf(value);
    if (iterationsLeft < 0)
      throw new ExpressionError(`it repeats more than ${maxIterations} times over its lists`);
    return value;
  })
  .registerFunction("matchText(string, string): bool", (text: string, pattern: string) => {
    const most = exceededLength(text, pattern);
    if (most !== undefined)
      throw new ExpressionError(
        `\`matches\` reads at most ${most} characters with this pattern, and the text has ${text.length}`,
      );
    return new RegExp(pattern, "u").test(text);
  })
  .registerFunction("round(double): double", (value: number) => roundTo(value, 0))
  .registerFunction("round(double, double): double", roundTo)
  .registerFunction("floor(double): double", Math.floor)
  .registerFunction("ceil(double): double", Math.ceil)
  .registerFunction("abs(double): double", Math.abs)
  .registerFunction("min(double, double): double", (a: number, b: number) => Math.min(a, b))
  .registerFunction("max(double, double): double", (a: number, b: number) => Math.max(a, b));

// Through the decimal text, because 1.005 * 100 is 100.49999999999999.
function roundTo(value: number, digits: number): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > 15)
    throw new ExpressionError("round takes 0 to 15 digits");
  const [mantissa = "0", exponent = "0"] = String(Math.abs(value)).split("e");
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
  const [roundedMantissa = "0", roundedExponent = "0"] = String(shifted).split("e");
  const rounded = Number(`${roundedMantissa}e${Number(roundedExponent) - digits}`);
  return Number.isFinite(rounded) ? Math.sign(value) * rounded : value;
}
