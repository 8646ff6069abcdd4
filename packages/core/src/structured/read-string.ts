import { decodeEscapes } from "./decode-escapes.ts";
import { checkInnerQuotes } from "./inner-quotes.ts";
import { closersOf, isLeftMark } from "./quote-marks.ts";
import { ReadFault } from "./read-fault.ts";
import type { ReplyCursor } from "./reply-cursor.ts";
import { canClose, type StringPlace } from "./string-end.ts";

/** Quotation marks beside the punctuation of JSON. */
const STRUCTURE = /^\s*[:,\]}]|["']\s*[:,\]}]|[[{,:]\s*["']/;
/** A line that begins with a bracket: another value may begin there. */
const NEXT_VALUE = /\n[^\S\n]*[[{]/;
const WORD = /[\p{L}\p{N}]/u;

/** A string as read: its text, and how many marks inside it were left as text. */
export interface QuotedText {
  readonly text: string;
  readonly innerCount: number;
}

/** Reads the string that opens at the cursor. */
export function readString(cursor: ReplyCursor, place: StringPlace, depth: number): QuotedText {
  if (cursor.isStrict) return { text: readStrict(cursor), innerCount: 0 };
  const mark = cursor.text[cursor.at] ?? "";
  const triple = mark.repeat(3);
  if ((mark === '"' || mark === "'") && cursor.text.startsWith(triple, cursor.at))
    return { text: readTriple(cursor, triple, place, depth), innerCount: 0 };
  const start = cursor.at + 1;
  const inner: number[] = [];
  const end = findEnd(cursor, { start, mark, place, depth }, inner);
  const raw = cursor.text.slice(start, end);
  checkInnerQuotes(cursor, { start, end, inner, isWord: mark === "'" || mark === "‘" });
  if (closersOf(mark) !== mark && NEXT_VALUE.test(raw))
    throw new ReadFault("ambiguous", "it is not clear where a string ends");
  if (mark !== '"') cursor.note("replaced-quotes");
  if (inner.length > 0) cursor.note("escaped-quotes", inner.length);
  return finish(cursor, raw, end + 1, inner.length);
}

function finish(cursor: ReplyCursor, raw: string, end: number, innerCount: number): QuotedText {
  const { text, repairs } = decodeEscapes(raw);
  for (const rule of repairs) cursor.note(rule);
  if (hasControl(raw)) cursor.note("escaped-control");
  cursor.budget.spend(raw.length);
  cursor.at = end;
  return { text, innerCount };
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x20) return true;
  return false;
}

function readStrict(cursor: ReplyCursor): string {
  const start = cursor.at + 1;
  let at = start;
  for (;;) {
    const stop = cursor.text[at];
    if (stop === '"') break;
    if (stop === undefined || stop < " ") {
      cursor.budget.spend(at - start);
      throw new ReadFault("syntax", "a string is not closed");
    }
    at += stop === "\\" ? 2 : 1;
  }
  cursor.budget.spend(at - start);
  cursor.at = at + 1;
  const raw = cursor.text.slice(start, at);
  if (!raw.includes("\\")) return raw;
  const { text, repairs } = decodeEscapes(raw);
  if (repairs.length > 0) throw new ReadFault("syntax", "a string holds an unknown escape");
  return text;
}

function readTriple(
  cursor: ReplyCursor,
  triple: string,
  place: StringPlace,
  depth: number,
): string {
  const start = cursor.at + 3;
  const end = cursor.text.indexOf(triple, start);
  const inside = end < 0 ? "" : cursor.text.slice(start, end);
  if (inside === "" || STRUCTURE.test(inside) || !canClose(cursor, end + 3, place, depth))
    throw new ReadFault("ambiguous", "it is not clear where a string ends");
  cursor.note("replaced-quotes");
  return finish(cursor, inside, end + 3, 0).text;
}

interface OpenString {
  readonly start: number;
  readonly mark: string;
  readonly place: StringPlace;
  readonly depth: number;
}

/** Finds the first mark that can close the string; those before it are text. */
function findEnd(cursor: ReplyCursor, open: OpenString, inner: number[]): number {
  const { start, mark, place, depth } = open;
  const closers = closersOf(mark) ?? mark;
  const all =
    mark === '"' ? `${closers}“„‟”` : `${closers}${isLeftMark(mark) || mark === "”" ? "“„‟" : ""}`;
  let nested = 0;
  for (let at = start; at < cursor.text.length; at++) {
    const character = cursor.text[at] ?? "";
    if (character === "\\") at++;
    if (!all.includes(character)) continue;
    const isClosing = canClose(cursor, at + 1, place, depth);
    if (character === mark && (mark === '"' || mark === "'")) {
      if (isClosing) return ended(cursor, at, start);
      if (mark === "'" && isApostrophe(cursor.text, at)) continue;
      inner.push(at);
    } else if (mark === '"' && character !== "”") {
      nested += 1;
    } else if (nested > 0 && character === "”") {
      if (isClosing && mark !== '"')
        throw new ReadFault("ambiguous", "a quotation inside a string is not closed");
      nested -= 1;
    } else if (isClosing) {
      return ended(cursor, at, start);
    } else if (isLeftMark(character)) {
      nested += 1;
    }
  }
  cursor.budget.spend(cursor.text.length - start);
  throw new ReadFault(
    "truncated",
    "a string is not closed: the text was cut, or a quotation mark is missing",
  );
}

function ended(cursor: ReplyCursor, at: number, start: number): number {
  cursor.budget.spend(at - start);
  return at;
}

/** True for the mark inside a word, as in `it's`. */
function isApostrophe(text: string, at: number): boolean {
  return WORD.test(text[at - 1] ?? "") && WORD.test(text[at + 1] ?? "");
}
