import { costOfPattern, type PatternCost } from "./pattern-cost.ts";

/** The longest text that a pattern is matched with, in characters. */
const longest = 1_000_000;
/** How many steps are done in half a second. */
const mostSteps = 100_000_000;
/** Texts that no pattern is too steep for, unless it is unbounded. */
const alwaysMatched = 100;
/** The steepest pattern that texts of that length can be matched with in time. */
const steepest = 4;
/** What the choices of fixed length may multiply to, and beside parts of open length. */
const mostChoices = 1_000;
const mostBeside = 20;

/** The longest text that a pattern is matched with, in characters, where a text is longer than that; else undefined. */
export function exceededLength(text: string, pattern: string): number | undefined {
  if (text.length <= alwaysMatched) return undefined;
  const { degree, isExponential } = knownCost(pattern);
  const most = longestFor(isExponential ? Math.max(2, degree) : degree);
  return text.length > most ? most : undefined;
}

/** Whether `exceededLength` keeps the time of a pattern bounded: whatever it is, and on every text. */
export function isBoundedPattern(pattern: string): boolean {
  const { degree, factor, isExponential } = knownCost(pattern);
  const most = degree <= 1 ? mostChoices : mostBeside;
  return !isExponential && degree <= steepest && factor <= most;
}

/** The length whose power is done in time. */
function longestFor(degree: number): number {
  return degree <= 1 ? longest : Math.floor(mostSteps ** (1 / degree));
}

const unknown: PatternCost = { degree: 2, factor: 1, isExponential: true };
const known = new Map<string, PatternCost>();
const maxKnown = 1_000;

function knownCost(pattern: string): PatternCost {
  const before = known.get(pattern);
  if (before !== undefined) return before;
  const cost = costOf(pattern);
  if (known.size >= maxKnown) known.clear();
  known.set(pattern, cost);
  return cost;
}

/** Looking around costs no more than going on would; what refers back can't be estimated. */
function costOf(pattern: string): PatternCost {
  if (/\\[1-9k]/u.test(pattern.replaceAll("\\\\", ""))) return unknown;
  try {
    return costOfPattern(pattern.replaceAll(/\(\?<?[=!]/gu, "(?:"));
  } catch {
    return unknown;
  }
}
