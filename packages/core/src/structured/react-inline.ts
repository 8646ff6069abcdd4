import { type LabelPlace, labelAt } from "./react-label-at.ts";
import { labelForms } from "./react-labels.ts";
import { closedAt, isBlank, skipBlanks, type Tally } from "./react-text.ts";

/** A part of a line whose labels are wanted. */
export interface InlineSearch {
  readonly text: string;
  readonly from: number;
  readonly end: number;
  readonly tally: Tally;
  /** Whether labels in small letters count: where those at the starts of lines are small too. */
  readonly maySmall: boolean;
  /** Whether `2.` before a label belongs to it: where a list number stands before the first. */
  readonly mayBeNumbered: boolean;
}

/** The labels inside a line, and where reading goes on; brackets and JSON are passed over as a whole. */
export interface InlineLabels {
  readonly labels: readonly LabelPlace[];
  readonly next: number;
}

const boundaries = ".;|,。；，、!?！？)]}）】」→>/";

/** Finds the labels inside a line: behind a blank or a punctuation mark, with a capital letter. */
export function labelsInline(search: InlineSearch): InlineLabels {
  const { text, tally } = search;
  const labels: LabelPlace[] = [];
  let mayPass = true;
  let at = search.from;
  while (at < search.end) {
    tally.steps += 1;
    const found = isBoundary(text, at, search.from) ? inlineAt(search, at) : undefined;
    if (found !== undefined) {
      labels.push(found);
      const value = skipBlanks(text, found.valueAt, search.end, tally);
      at = found.label === "input" ? passValue(search, value) : found.valueAt;
      if (at < 0) return { labels, next: text.length };
    } else if (mayPass && (text[at] === "[" || text[at] === "{")) {
      const end = closedAt(text, at, search.end, { quoted: text[at] === "{", tally });
      mayPass = end >= 0;
      at = end < 0 ? at + 1 : end;
    } else at += 1;
  }
  return { labels, next: at };
}

function inlineAt(search: InlineSearch, at: number): LabelPlace | undefined {
  const first = search.text[at] ?? "";
  // Most places are none where a label can begin.
  if (!mayBegin(first, search.mayBeNumbered)) return undefined;
  const { text, end, tally, mayBeNumbered } = search;
  const found = labelAt({ text, end, tally, mayBeNumbered, isAtStart: false }, at);
  if (found === undefined || (found.isSmall && !search.maySmall)) return undefined;
  return found;
}

function mayBegin(character: string, mayBeNumbered: boolean): boolean {
  if (labelForms.has(character.toLowerCase()) || "*_`".includes(character)) return true;
  return mayBeNumbered && (character === "(" || (character >= "0" && character <= "9"));
}

function isBoundary(text: string, at: number, from: number): boolean {
  const before = text[at - 1];
  return at === from || isBlank(before) || (before !== undefined && boundaries.includes(before));
}

/** The end of an input that is JSON or quoted; its start if it is neither; -1 if it is not closed. */
function passValue(search: InlineSearch, at: number): number {
  const { text, tally, end } = search;
  const first = text[at];
  if (first === "{" || first === "[")
    return closedAt(text, at, text.length, { quoted: true, tally });
  if (first !== '"') return at;
  for (let place = at + 1; place < end; place += 1) {
    tally.steps += 1;
    if (text[place] === "\\") place += 1;
    else if (text[place] === '"') return place + 1;
  }
  return at + 1;
}
