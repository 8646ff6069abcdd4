import { costOfPattern } from "./pattern-cost.ts";

/** The longest text that a pattern is matched with, in characters. */
const longest = 1_000_000;
/** The same for a pattern whose time grows with more than the length: the square of this is done in half a second. */
const longestForSteep = 10_000;

/** The longest text that a pattern is matched with, in characters, where a text is longer than that; else undefined. */
export function exceededLength(text: string, pattern: string): number | undefined {
  if (text.length <= longestForSteep) return undefined;
  const { degree, isExponential } = costOfPattern(pattern);
  const most = degree > 1 || isExponential ? longestForSteep : longest;
  return text.length > most ? most : undefined;
}
