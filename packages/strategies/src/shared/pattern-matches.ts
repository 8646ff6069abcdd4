/** A match of a pattern in a text: what it gives, and the characters from `from` up to, and without, `to`. */
interface PatternMatch {
  readonly found: string;
  readonly from: number;
  readonly to: number;
}

/** The matches of some patterns by their places in the text; `isCut` where one is longer than what a pattern is held to. */
export interface PatternMatches {
  readonly matches: readonly PatternMatch[];
  readonly isCut: boolean;
}

/** The longest line that is looked through at once: a pattern may take time in proportion to the square of it. */
const longestLine = 4_000;
/** How much of a longer line a pattern is held to at a time. */
const windowChars = 2_000;
/** What is looked through again, so that a match that goes on behind a window is found in the next one. */
const overlapChars = 1_000;
/** What a pattern sees before the place where it goes on: enough for a word boundary, and for a character of two units. */
const contextChars = 2;

/** Finds patterns in every line of a text; one that would go on into the next line is none. */
export function matchesOf(patterns: readonly string[], text: string): PatternMatches {
  const matches: PatternMatch[] = [];
  let isCut = false;
  for (const pattern of patterns) {
    const expression = new RegExp(pattern, "gu");
    for (const line of text.matchAll(LINE)) {
      const read = matchesInLine(expression, line[0]);
      isCut ||= read.isCut;
      const at = line.index;
      for (const { found, from, to } of read.matches)
        matches.push({ found, from: at + from, to: at + to });
    }
  }
  return { matches: matches.toSorted((one, other) => one.from - other.from), isCut };
}

const LINE = /[^\r\n]+/gu;

/**
 * Looks through a line in windows that overlap. What touches the end of a window is looked at again in one that begins
 * with it; what still touches it, or begins where a window does only because nothing was found before, may be a part of
 * something longer and is no match.
 */
function matchesInLine(expression: RegExp, line: string): PatternMatches {
  const matches: PatternMatch[] = [];
  let at = 0;
  let isGuess = false;
  while (at < line.length) {
    const begin = at;
    const start = Math.max(0, begin - contextChars);
    const end = begin + (line.length > longestLine ? windowChars : longestLine);
    const isLast = end >= line.length;
    const window = line.slice(start, isLast ? undefined : end);
    expression.lastIndex = begin - start;
    let next = -1;
    for (let match = expression.exec(window); match !== null; match = expression.exec(window)) {
      const from = start + match.index;
      const to = from + match[0].length;
      const touchesEnd = !isLast && to === end;
      if ((isGuess || touchesEnd) && from <= begin) return { matches, isCut: true };
      if (touchesEnd) {
        next = from;
        break;
      }
      const found = (match.slice(1).find((group) => group !== undefined) ?? match[0]).trim();
      if (found !== "") matches.push({ found, from, to });
      if (match[0] === "") expression.lastIndex += sizeAt(line, to);
      at = Math.max(at, to);
      isGuess = false;
    }
    if (isLast) break;
    isGuess = next < 0 && at < end - overlapChars;
    at = next < 0 ? Math.max(at, end - overlapChars) : next;
  }
  return { matches, isCut: false };
}

/** How many units the character at a place has. */
function sizeAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Matches without those that stand in a place of which one before has a part: by patterns of which any may fit. */
export function apart(matches: readonly PatternMatch[]): readonly PatternMatch[] {
  let end = 0;
  return matches.filter(({ from, to }) => {
    if (from < end) return false;
    end = to;
    return true;
  });
}
