import { isLoopwrightError, type ToolContext, type ToolFunction } from "@loopwright/core/plugin";
import { toolContext } from "@loopwright/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calculator } from "./calculator.ts";

const call: ToolContext = toolContext();
const run = calculator.create({} as never, {} as never) as ToolFunction<unknown, unknown>;
const compute = (expression: string): unknown => run({ expression }, call);

function outcomeOf(expression: string): string {
  try {
    return typeof compute(expression);
  } catch (fault) {
    return isLoopwrightError(fault) ? fault.family : "another fault";
  }
}

describe("calculator", () => {
  it.each([
    ["ceil(5/2)", 3],
    ["0.1 + 0.2", 0.3],
    ["0.1 + 0.2 - 0.3", 0],
    ["1 / 3 * 3", 1],
    ["ceil(1.1 * 10)", 11],
    ["(249 - 40) * 0.92", 192.28],
    ["-2^2", -4],
    ["2^3^2", 512],
    ["2**10", 1024],
    ["2^-1", 0.5],
    ["10 / 4", 2.5],
    ["1 / 3", 0.333333333333333],
    ["-2 / 3", -0.666666666666667],
    ["0.000001 * 0.000001", 1e-12],
    ["round(2.5)", 3],
    ["round(-2.5)", -3],
    ["round(1.005, 2)", 1.01],
    ["floor(-1.5)", -2],
    ["min(3, 1, 2) + max(4, 5)", 6],
    ["abs(-3) + mod(7, 4) + pow(2, 3)", 14],
    ["sqrt(16)", 4],
    ["ceil(sqrt(2)^2)", 2],
    ["floor(pi * 100)", 314],
    ["2^100", "1267650600228229401496703205376"],
    ["１２ × （３ − １） ÷ ４", 6],
    ["1,250.5 + 1,000,000", 1001250.5],
    ["17 % 5", 2],
    ["20% * 50", 10],
    ["50 * 20%", 10],
    ["100 + 20% * 50", 110],
    ["3 + 4 =", 7],
    ["1.5e3 + 1", 1501],
    ["0 / 5", 0],
  ])("computes %s", (expression, value) => {
    expect(compute(expression)).toStrictEqual(value);
  });

  it.each([
    ["", /empty/],
    ["1/0", /divides by zero/],
    ["1/(1/0)", /divides by zero/],
    ["5 % 0", /divides by zero/],
    ["0^-1", /divides by zero/],
    ["10^100000", /too large/],
    ["9^9^9", /too large/],
    ["((2^900)^900)", /too large/],
    ["1e400", /too large/],
    ["1e999*0", /too large/],
    ["10^-999", /too large or too small/],
    [`${"(".repeat(40)}1${")".repeat(40)}`, /deeper/],
    ["1+".repeat(400) + "1", /characters/],
    ["sqrt(-1)", /negative/],
    ["x + 1", /"x" is unknown; the names are/],
    ["constructor", /unknown/],
    ["__proto__", /not allowed/],
    ["toString(1)", /unknown/],
    ["random()", /unknown/],
    ["max", /without its parentheses/],
    ["max()", /at least one/],
    ["sqrt(1, 2)", /takes 1/],
    ["a = 3", /unknown/],
    ["1;2", /";" is not allowed/],
    ["'a'", /not allowed/],
    ["[1]", /not allowed/],
    ["1 + ", /not a complete expression/],
    ["(1 + 2", /not a complete expression/],
    ["2(3 + 4)", /operator is missing/],
    ["(2)(3)", /operator is missing/],
    ["1 000 + 1", /operator is missing/],
    ["2x", /not a number/],
    ["5kg", /not a number/],
    ["0x10", /not a number/],
    ["1.2.3", /not a number/],
    ["$5 + 1", /"\$" is not allowed/],
    ["1,5 + 1", /decimals with a point/],
    ["max(1,000)", /write 1000 or 1, 000/],
    ["100 + 20%", /two ways/],
    ["20% + 5", /two ways/],
    ["(5 + 5)%", /only read after a number/],
    ["1234567890123456789", /more than 15 digits/],
    ["三 + 1", /"三" is not allowed/],
  ])("refuses %j with words that help", (expression, message) => {
    expect(() => compute(expression)).toThrow(message);
  });

  it("agrees with whole-number arithmetic", () => {
    const whole = fc.integer({ min: -9999, max: 9999 });
    fc.assert(
      fc.property(whole, whole, whole, (a, b, c) => {
        expect(compute(`(${a}) * (${b}) - (${c})`)).toBe(a * b - c + 0);
      }),
    );
  });

  it("never fails but with a ToolError, whatever the text", () => {
    const sign = fc.constantFrom(..."0123456789.,+-*/%^() ceilmax".split(""));
    fc.assert(
      fc.property(
        fc.array(sign, { maxLength: 25 }).map((signs) => signs.join("")),
        (text) => {
          expect(["number", "string", "ToolError"]).toContain(outcomeOf(text));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
