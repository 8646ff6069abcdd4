const greatestTold = 1_000_000_000;

/** Whether a count is too great to be told in figures. */
export function isHuge(count: number): boolean {
  return count > greatestTold;
}

/** A count in figures, `1,900`; in words where nobody could read them. */
export function countText(count: number): string {
  return isHuge(count) ? `more than ${inFigures(greatestTold)}` : inFigures(count);
}

/** A whole number with its thousands apart; what the language has for it takes 20 ms at its first use. */
export function inFigures(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
