import { labelColons } from "./react-labels.ts";
import { isBlank, lineEndFrom, nextLine, skipBlanks, type Tally, trimEdges } from "./react-text.ts";

/** A part of a text whose labels do not count: a fence or a thinking block. */
export interface Region {
  readonly kind: "fence" | "thinking";
  readonly start: number;
  readonly end: number;
  /** What stands inside. */
  readonly innerStart: number;
  readonly innerEnd: number;
}

/** The longest row of fence marks that is told apart from a longer one. */
const maxMarks = 8;

/** Finds fences, each line of a text once; a fence that nothing closes is none. */
export class FenceFinder {
  readonly #text: string;
  readonly #tally: Tally;
  /** By mark: rows of at least this many have no closing row in the rest of the text. */
  readonly #unclosed: Map<string, number> = new Map();

  constructor(text: string, tally: Tally) {
    this.#text = text;
    this.#tally = tally;
  }

  /** The fence that opens in the line from `at` to `end`, if one does and is closed. */
  openedIn(at: number, end: number): Region | undefined {
    const start = this.#openingIn(at, end);
    if (start < 0) return undefined;
    const mark = this.#text[start] ?? "";
    const count = rowLength(this.#text, start, mark);
    if (count >= (this.#unclosed.get(mark) ?? Number.POSITIVE_INFINITY)) return undefined;
    const innerStart = nextLine(this.#text, end);
    for (let line = innerStart; line < this.#text.length; ) {
      const lineEnd = lineEndFrom(this.#text, line, this.#tally);
      const close = this.#closeIn(line, lineEnd, mark, count);
      if (close >= 0) {
        return { kind: "fence", start, end: lineEnd, innerStart, innerEnd: close };
      }
      line = nextLine(this.#text, lineEnd);
    }
    this.#unclosed.set(mark, count);
    return undefined;
  }

  /** A fence opens at the start of a line or behind a colon, and not where the line closes it again. */
  #openingIn(at: number, end: number): number {
    const line = this.#text.slice(at, end);
    this.#tally.steps += line.length;
    const start = skipQuote(this.#text, at, end, this.#tally);
    if (this.#text.startsWith("~~~", start)) return start;
    const marks = line.indexOf("```");
    if (marks < 0) return -1;
    const place = at + marks;
    if (place !== start && !endsWithColon(line, marks)) return -1;
    const count = rowLength(this.#text, place, "`");
    return line.includes("`", marks + runOf(line, marks)) && count > 0 ? -1 : place;
  }

  #closeIn(at: number, end: number, mark: string, count: number): number {
    const start = skipQuote(this.#text, at, end, this.#tally);
    let last = end;
    while (last > start && isBlank(this.#text[last - 1])) last -= 1;
    let from = last;
    while (from > start && this.#text[from - 1] === mark) from -= 1;
    this.#tally.steps += end - from + 1;
    const row = last - from;
    if (row < count && row < maxMarks) return -1;
    // A row behind text closes too, as in `run();```; one before text would open.
    return from === start ? at : from;
  }
}

/** A text that begins with a fence: what stands in it, and whether the fence is closed. */
export interface FencedText {
  readonly inside: string;
  readonly isClosed: boolean;
}

/** Reads a text that is one fence as a whole; nothing if it begins with none, or goes on behind it. */
export function readFenced(value: string): FencedText | undefined {
  const text = trimEdges(value);
  const mark = text[0];
  if (mark === undefined || !(text.startsWith("```") || text.startsWith("~~~"))) return undefined;
  const count = runOf(text, 0);
  const row = mark.repeat(count);
  const close = text.indexOf(row, count);
  const isClosed = close >= 0;
  if (isClosed && close + count !== text.length) return undefined;
  const inner = text.slice(count, isClosed ? close : text.length);
  const language = /^[\w+#.-]*[^\S\r\n]*(?:\r\n|[\n\r])/.exec(inner)?.[0];
  const inside =
    language === undefined
      ? inner.replace(/^(?:json|text|txt)\s/i, "")
      : inner.slice(language.length);
  return { inside: trimEdges(inside), isClosed };
}

/** Where the line begins behind blanks and `>`. */
export function skipQuote(text: string, at: number, end: number, tally: Tally): number {
  let place = skipBlanks(text, at, end, tally);
  while (text[place] === ">" && place < end) place = skipBlanks(text, place + 1, end, tally);
  return place;
}

function endsWithColon(line: string, end: number): boolean {
  let place = end;
  while (place > 0 && (isBlank(line[place - 1]) || line[place - 1] === "*")) place -= 1;
  return place > 0 && labelColons.includes(line[place - 1] ?? " ");
}

function rowLength(text: string, at: number, mark: string): number {
  let count = 0;
  while (count < maxMarks && text[at + count] === mark) count += 1;
  return count;
}

function runOf(text: string, at: number): number {
  let count = 0;
  while (text[at + count] === text[at]) count += 1;
  return count;
}
