/** An exact number: numerator and positive denominator, in lowest terms. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** How many decimals the text of a number shows at most, where its decimals have no end. */
const maxShownDecimals = 6;

/** Divides two whole numbers exactly; the divisor is not 0. */
export function fraction(top: bigint, bottom: bigint = 1n): Fraction {
  const sign = bottom < 0n ? -1n : 1n;
  const divisor = greatestDivisor(magnitude(top), magnitude(bottom));
  return { top: (sign * top) / divisor, bottom: (sign * bottom) / divisor };
}

/** Reads an unsigned decimal like 1250, 0.5 or 1.5e3. */
export function fromDecimal(text: string): Fraction {
  const [digits = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", decimals = ""] = digits.split(".");
  const power = Number(exponent) - decimals.length;
  const top = BigInt(`${whole}${decimals}` === "" ? "0" : `${whole}${decimals}`);
  return power >= 0 ? fraction(top * 10n ** BigInt(power)) : fraction(top, 10n ** BigInt(-power));
}

/** Adds exactly. */
export function plus(left: Fraction, right: Fraction): Fraction {
  return fraction(left.top * right.bottom + right.top * left.bottom, left.bottom * right.bottom);
}

/** Negates. */
export function minus(value: Fraction): Fraction {
  return { top: -value.top, bottom: value.bottom };
}

/** Multiplies exactly. */
export function times(left: Fraction, right: Fraction): Fraction {
  return fraction(left.top * right.top, left.bottom * right.bottom);
}

/** Divides exactly; undefined for a division by zero. */
export function over(left: Fraction, right: Fraction): Fraction | undefined {
  return right.top === 0n ? undefined : fraction(left.top * right.bottom, left.bottom * right.top);
}

/** Tells whether two values are the same number. */
export function isEqual(left: Fraction, right: Fraction): boolean {
  return left.top === right.top && left.bottom === right.bottom;
}

/** Tells whether two values are at most so far apart. */
export function isWithin(left: Fraction, right: Fraction, tolerance: Fraction): boolean {
  const distance = plus(left, minus(right));
  return magnitude(distance.top) * tolerance.bottom <= tolerance.top * distance.bottom;
}

/** Rounds to so many decimals: `up` half away from zero, `even` half to even, `down` towards zero. */
export function round(value: Fraction, decimals: number, half: "up" | "even" | "down"): Fraction {
  const scale = 10n ** BigInt(decimals);
  const top = magnitude(value.top) * scale;
  const whole = top / value.bottom;
  const twice = 2n * (top - whole * value.bottom);
  const isTie = twice === value.bottom;
  const goesUp =
    half !== "down" && (twice > value.bottom || (isTie && (half === "up" || whole % 2n === 1n)));
  const rounded = fraction(whole + (goesUp ? 1n : 0n), scale);
  return value.top < 0n ? minus(rounded) : rounded;
}

/** Writes a value as a decimal, rounded where its decimals are many. */
export function toText(value: Fraction): string {
  const shown = round(value, maxShownDecimals, "up");
  const scaled = (magnitude(shown.top) * 10n ** BigInt(maxShownDecimals)) / shown.bottom;
  const digits = scaled.toString().padStart(maxShownDecimals + 1, "0");
  const whole = digits.slice(0, -maxShownDecimals);
  const decimals = digits.slice(-maxShownDecimals).replace(/0+$/, "");
  return `${isEqual(shown, value) ? "" : "about "}${shown.top < 0n ? "-" : ""}${whole}${decimals === "" ? "" : `.${decimals}`}`;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function greatestDivisor(left: bigint, right: bigint): bigint {
  let [larger, smaller] = [left, right];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger === 0n ? 1n : larger;
}
