import type { Computed } from "../shared/arithmetic-expression.ts";
import {
  fraction,
  type Fraction,
  isEqual,
  isWithin,
  round,
  times,
  toText,
} from "../shared/fraction.ts";
import type { Equation } from "./equations.ts";

const hundred: Fraction = fraction(100n);
/** How far two computed sides may differ where rounded numbers stand in them. */
const roundedShare: Fraction = fraction(1n, 200n);

/** A number with so many decimals was printed by a computer, whose last digits are noise. */
const longDecimals = 10;
const noiseShare: Fraction = fraction(1n, 10n ** 12n);

/** Tells whether an equation holds in at least one way to read it. */
export function holds({ lefts, rights, goesOn }: Equation, tolerance: Fraction): boolean {
  return lefts.some((left) => rights.some((right) => sidesAgree(left, right, goesOn, tolerance)));
}

/** Writes the value that the left side of an equation has, in the form of its right side. */
export function rightValueOf({ lefts: [left], rights: [right] }: Equation): string {
  const isPercent = right.isPercent && !right.hasOperator;
  const value = isPercent ? times(left.value, hundred) : left.value;
  const exact = toText(value);
  const isLong = exact.startsWith("about") || (right.decimals > 0 && !right.hasOperator);
  const shown = isLong ? toText(round(value, Math.max(right.decimals, 2), "up")) : exact;
  return isPercent ? `${shown}%` : shown;
}

/** A share of a value's size. */
function shareOf(value: Fraction, share: Fraction): Fraction {
  const part = times(value, share);
  return { ...part, top: part.top < 0n ? -part.top : part.top };
}

function sidesAgree(
  left: Computed,
  right: Computed,
  goesOn: boolean,
  tolerance: Fraction,
): boolean {
  if (isWithin(left.value, right.value, tolerance)) return true;
  const hasNoise = !right.hasOperator && right.decimals >= longDecimals;
  if (hasNoise && isWithin(left.value, right.value, shareOf(left.value, noiseShare))) return true;
  if (!right.hasOperator) return roundsTo(left, right, goesOn);
  if (!left.hasOperator) return roundsTo(right, left, false);
  if (!left.mayBeRounded && !right.mayBeRounded) return false;
  return isWithin(left.value, right.value, shareOf(left.value, roundedShare));
}

/** A percent sign beside a number is read as a hundredth and as a mere unit. */
function roundsTo(computed: Computed, shown: Computed, goesOn: boolean): boolean {
  const target = shown.isPercent ? times(shown.value, hundred) : shown.value;
  const values =
    shown.isPercent || computed.isPercent
      ? [computed.value, times(computed.value, hundred)]
      : [computed.value];
  return values.some(
    (value) =>
      isEqual(round(value, shown.decimals, "up"), target) ||
      isEqual(round(value, shown.decimals, "even"), target) ||
      (goesOn && isEqual(round(value, shown.decimals, "down"), target)),
  );
}
