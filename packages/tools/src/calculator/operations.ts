import { compare, floorOf, fraction, type Fraction, fromNumber } from "./fraction.ts";
import { expressionError } from "./read-expression.ts";

/** What the parser calls for an operator or a function; numbers of the text come as they are. */
export type Operation = (...values: (Fraction | number)[]) => Fraction;

const maxBits = 8_000;
const maxExponent = 1_000n;
/** Below this relative distance a value that went through a root counts as the whole number beside it. */
const nearly: Fraction = fromNumber(2e-15);

/** The functions by name. */
export const functions: Readonly<Record<string, Operation>> = table({
  abs: exactly(1, (value) => (value.top < 0n ? minus(value) : value)),
  ceil: exactly(1, (value) => minus(fraction(floorOf(minus(settle(value)))))),
  floor: exactly(1, (value) => fraction(floorOf(settle(value)))),
  max: atLeastOne((values) =>
    values.reduce((best, value) => (compare(value, best) > 0 ? value : best)),
  ),
  min: atLeastOne((values) =>
    values.reduce((best, value) => (compare(value, best) < 0 ? value : best)),
  ),
  mod: exactly(2, remainder),
  pow: exactly(2, power),
  round: rounding,
  sqrt: exactly(1, (value) => power(value, fraction(1n, 2n))),
});

/** The operators that take one value. */
export const unaryOperators: Readonly<Record<string, Operation>> = table({
  "-": exactly(1, minus),
  "+": exactly(1, (value) => value),
});

/** The operators that take two values. */
export const binaryOperators: Readonly<Record<string, Operation>> = table({
  "+": exactly(2, plus),
  "-": exactly(2, (left, right) => plus(left, minus(right))),
  "*": exactly(2, times),
  "/": exactly(2, divide),
  "%": exactly(2, remainder),
  "^": exactly(2, power),
});

/** Makes a table without a prototype, so that no name of `Object.prototype` is found in it. */
export function table<T>(entries: Record<string, T>): Readonly<Record<string, T>> {
  return Object.freeze(Object.assign(Object.create(null) as Record<string, T>, entries));
}

function exactly(
  count: number,
  operation: (...values: [Fraction, Fraction]) => Fraction,
): Operation {
  return (...values) => {
    if (values.length !== count)
      throw expressionError(`A function has ${values.length} arguments and takes ${count}.`);
    const [first, second] = values.map(asFraction);
    return bounded(operation(first ?? fraction(0n), second ?? fraction(0n)));
  };
}

function atLeastOne(operation: (values: readonly Fraction[]) => Fraction): Operation {
  return (...values) => {
    if (values.length === 0) throw expressionError("min and max need at least one argument.");
    return operation(values.map(asFraction));
  };
}

/** Takes what the parser hands over: numbers of the text, and results. */
export function asFraction(value: unknown): Fraction {
  if (typeof value === "object" && value !== null && "top" in value) return value as Fraction;
  if (typeof value === "function")
    throw expressionError("A function stands without its parentheses; write for example sqrt(16).");
  if (typeof value !== "number" || !Number.isFinite(value) || Math.abs(value) > 1e300) {
    throw expressionError("A number is too large; stay below 1e300.");
  }
  return fromNumber(value);
}

function bounded(value: Fraction): Fraction {
  if (bitsOf(value) <= maxBits) return value;
  throw expressionError(
    "A number on the way is too large or has too many decimals; round it or make the powers smaller.",
  );
}

function bitsOf(value: Fraction): number {
  return 4 * Math.max(value.top.toString(16).length, value.bottom.toString(16).length);
}

function plus(left: Fraction, right: Fraction): Fraction {
  return fraction(left.top * right.bottom + right.top * left.bottom, left.bottom * right.bottom);
}

function minus(value: Fraction): Fraction {
  return { top: -value.top, bottom: value.bottom };
}

function times(left: Fraction, right: Fraction): Fraction {
  return fraction(left.top * right.top, left.bottom * right.bottom);
}

function divide(left: Fraction, right: Fraction): Fraction {
  if (right.top === 0n) throw expressionError("The expression divides by zero.");
  return fraction(left.top * right.bottom, left.bottom * right.top);
}

/** The remainder has the sign of the dividend. */
function remainder(left: Fraction, right: Fraction): Fraction {
  const quotient = divide(left, right);
  return plus(left, minus(times(right, fraction(quotient.top / quotient.bottom))));
}

function power(base: Fraction, exponent: Fraction): Fraction {
  if (exponent.bottom !== 1n) return root(base, exponent);
  const size = exponent.top < 0n ? -exponent.top : exponent.top;
  if (size > maxExponent || Number(size) * bitsOf(base) > maxBits * 4) {
    throw expressionError(
      `A power is too large to compute; the exponent may be ${maxExponent} at most, the result must stay moderate.`,
    );
  }
  const raised = fraction(base.top ** size, base.bottom ** size);
  return exponent.top < 0n ? divide(fraction(1n), raised) : raised;
}

function root(base: Fraction, exponent: Fraction): Fraction {
  if (base.top < 0n) throw expressionError("A root of a negative number is not a real number.");
  if (base.top === 0n && exponent.top < 0n)
    throw expressionError("The expression divides by zero.");
  return asFraction(
    Number(base.top) === 0
      ? 0
      : (Number(base.top) / Number(base.bottom)) **
          (Number(exponent.top) / Number(exponent.bottom)),
  );
}

/** Rounds half away from zero, to whole numbers or to so many decimals. */
function rounding(...values: (Fraction | number)[]): Fraction {
  if (values.length < 1 || values.length > 2)
    throw expressionError("round takes a number and, if wanted, how many decimals.");
  const [value = fraction(0n), digits = fraction(0n)] = values.map(asFraction);
  if (digits.bottom !== 1n || digits.top < 0n || digits.top > 15n)
    throw expressionError("round takes 0 to 15 decimals.");
  const scale = fraction(10n ** digits.top);
  const size = settle(times(functions["abs"]?.(value) ?? value, scale));
  const rounded = divide(fraction(floorOf(plus(size, fraction(1n, 2n)))), scale);
  return value.top < 0n ? minus(rounded) : rounded;
}

function settle(value: Fraction): Fraction {
  const whole = fraction(floorOf(plus(value, fraction(1n, 2n))));
  const distance = plus(value, minus(whole));
  const size = fraction(distance.top < 0n ? -distance.top : distance.top, distance.bottom);
  const allowed = times(nearly, fraction(whole.top < 0n ? -whole.top : whole.top));
  return compare(size, allowed) <= 0 ? whole : value;
}
