/** An exact number: numerator and positive denominator, in lowest terms. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** Divides two whole numbers exactly; the divisor is not 0. */
export function fraction(top: bigint, bottom: bigint = 1n): Fraction {
  const sign = bottom < 0n ? -1n : 1n;
  const divisor = greatestDivisor(top < 0n ? -top : top, bottom < 0n ? -bottom : bottom);
  return { top: (sign * top) / divisor, bottom: (sign * bottom) / divisor };
}

/** Reads a finite number by its shortest decimal form, so that 0.1 is one tenth. */
export function fromNumber(value: number): Fraction {
  const [digits = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", decimals = ""] = digits.split(".");
  const power = Number(exponent) - decimals.length;
  const top = BigInt(whole + decimals);
  return power >= 0 ? fraction(top * 10n ** BigInt(power)) : fraction(top, 10n ** BigInt(-power));
}

/** The nearest number that has at most 15 significant digits. */
export function toNumber(value: Fraction): number {
  const top = value.top < 0n ? -value.top : value.top;
  const lengths = top.toString().length - value.bottom.toString().length;
  const shift = 16 - lengths;
  const scaled =
    shift >= 0
      ? (top * 10n ** BigInt(shift)) / value.bottom
      : top / (value.bottom * 10n ** BigInt(-shift));
  const rounded = Number(Number(`${scaled}e${-shift}`).toPrecision(15));
  return value.top < 0n ? -rounded : rounded;
}

/** Compares: below 0, 0 or above 0. */
export function compare(left: Fraction, right: Fraction): number {
  const difference = left.top * right.bottom - right.top * left.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The largest whole number that is not above the value. */
export function floorOf(value: Fraction): bigint {
  const quotient = value.top / value.bottom;
  return value.top < 0n && quotient * value.bottom !== value.top ? quotient - 1n : quotient;
}

function greatestDivisor(left: bigint, right: bigint): bigint {
  let [larger, smaller] = [left, right];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger === 0n ? 1n : larger;
}
