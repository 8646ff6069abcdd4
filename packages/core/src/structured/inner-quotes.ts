import { ReadFault } from "./read-fault.ts";
import type { ReplyCursor } from "./reply-cursor.ts";

/** The marks that were left as text inside one string. */
interface InnerQuotes {
  readonly start: number;
  readonly end: number;
  readonly inner: readonly number[];
  /** True where the mark is also an apostrophe. */
  readonly isWord: boolean;
}

/** A line that begins with a bracket: another value may begin there. */
const NEXT_VALUE = /^\s*\n\s*[[{]/;
const LETTER = /\p{L}/u;
const WORD = /[\p{L}\p{N}]/u;

/**
 * Refuses a string whose inner marks have a second reading: two strings side by side, a lost closing mark, a lost key.
 *
 * Marks inside a text come in pairs, an opening one (even index) before a word and a closing one behind it.
 */
export function checkInnerQuotes(cursor: ReplyCursor, quotes: InnerQuotes): void {
  const { inner, end, isWord } = quotes;
  if (inner.length === 0) return;
  const { text } = cursor;
  if (cursor.isEnd(cursor.afterBlanks(end + 1)) && cursor.markAt(end + 1) === undefined)
    throw new ReadFault("truncated", "the text ends in a string with quotation marks inside");
  const isOdd = inner.length % 2 === 1;
  if (inner[0] === quotes.start && !WORD.test(text[quotes.start + 1] ?? "")) throw doubt();
  for (const [index, at] of inner.entries()) {
    const next = index + 1 < inner.length ? inner[index + 1] : end;
    const isOpening = index % 2 === 0;
    const isLast = next === end && next === at + 1;
    if (isOpening && !isLast && next !== undefined && isBlankBetween(text, at + 1, next))
      throw doubt();
    const before = text[at - 1] ?? "";
    const behind = text[at + 1] ?? "";
    const isClosingShape =
      (!isWord && /\s/.test(behind) && LETTER.test(before)) || /[,，;；]/.test(behind);
    if (isOpening && !isOdd && isClosingShape) throw doubt();
    if (NEXT_VALUE.test(text.slice(at + 1, at + 40))) throw doubt();
    if (isAfter(text, at, isOdd ? "{[,，" : "{[")) throw doubt();
    if (!isOpening && isColonAt(cursor, at + 1) && isAfter(text, inner[index - 1] ?? at, ",，\n"))
      throw doubt();
    cursor.budget.spend(1);
  }
}

function doubt(): ReadFault {
  return new ReadFault(
    "ambiguous",
    'a string holds quotation marks that can be read in two ways: write each as \\"',
  );
}

function isBlankBetween(text: string, from: number, to: number): boolean {
  return to - from < 200 && /^\s*\+?\s*$/.test(text.slice(from, to));
}

function isAfter(text: string, at: number, marks: string): boolean {
  const before = text.slice(Math.max(0, at - 20), at);
  const last = before.trimEnd().at(-1) ?? "";
  return (last !== "" && marks.includes(last)) || (marks.includes("\n") && /\n\s*$/.test(before));
}

function isColonAt(cursor: ReplyCursor, at: number): boolean {
  return cursor.markAt(cursor.afterBlanks(at)) === ":";
}
