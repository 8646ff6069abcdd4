import { type LabelForm, labelColons, labelForms, type ReactLabel } from "./react-labels.ts";
import { isBlank, isLineEnd, skipBlanks, type Tally } from "./react-text.ts";

/** A label found in a text. */
export interface LabelPlace {
  readonly label: ReactLabel;
  /** Where it begins, with the marks before it. */
  readonly at: number;
  /** Where its value begins. */
  readonly valueAt: number;
  /** Marks like `**` that were opened before the label and not closed behind it. */
  readonly openMarks: string;
  /** Whether the label begins with a small letter. */
  readonly isSmall: boolean;
  /** Whether a number of a list stood before it, as in `2. Action:`. */
  readonly isNumbered: boolean;
  /** Whether it stands at the start of a line. */
  readonly isAtStart: boolean;
  /** Whether `>` stood before it. */
  readonly isQuoted: boolean;
}

/** Where and how a label may stand. */
export interface LabelSearch {
  readonly text: string;
  /** The end of the line. */
  readonly end: number;
  readonly tally: Tally;
  /** The marks that may stand before it: those of lists, quotes and headings only at the start of a line. */
  readonly isAtStart: boolean;
  readonly mayBeNumbered: boolean;
  /** Whether a heading or a line in bold counts without its colon. */
  readonly mayLackColon?: boolean;
}

const startMarks = ">#*-+•·_`[【";
const boldMarks = "*_`";
const closingMarks = "*_`]】";

/** Reads the label that stands at this place, if one does. */
export function labelAt(search: LabelSearch, at: number): LabelPlace | undefined {
  const marks = search.isAtStart ? startMarks : boldMarks;
  let place = skipMarks(search, at, marks);
  const numberEnd = search.mayBeNumbered ? skipListNumber(search.text, place, search.end) : place;
  const isNumbered = numberEnd > place;
  if (isNumbered) {
    place = skipMarks(search, skipBlanks(search.text, numberEnd, search.end, search.tally), marks);
  }
  const first = search.text[place];
  if (first === undefined) return undefined;
  for (const form of labelForms.get(first.toLowerCase()) ?? []) {
    const wordsEnd = matchWords(search, place, form);
    if (wordsEnd < 0) continue;
    const found = afterWords(search, at, place, wordsEnd);
    if (found === undefined) continue;
    return {
      label: form.label,
      at,
      ...found,
      isSmall: first !== first.toUpperCase(),
      isNumbered,
      isAtStart: search.isAtStart,
      isQuoted: search.isAtStart && search.text.slice(at, place).includes(">"),
    };
  }
  return undefined;
}

function skipMarks(search: LabelSearch, at: number, marks: string): number {
  let place = at;
  while (place < search.end) {
    const character = search.text[place] ?? "";
    if (marks.includes(character)) place += 1;
    else if (search.isAtStart && (isBlank(character) || isPictureAt(character))) place += 1;
    else break;
  }
  search.tally.steps += place - at + 1;
  return place;
}

/** Whether the character is an emoji, or half of one. */
function isPictureAt(character: string): boolean {
  const unit = character.charCodeAt(0);
  const isSymbol = (unit >= 0x2600 && unit <= 0x27bf) || unit === 0xfe0f;
  return isSymbol || (unit >= 0xd83c && unit <= 0xd83e) || (unit >= 0xdc00 && unit <= 0xdfff);
}

/** Passes over `2.`, `2)`, `(2)` or `2、`. */
function skipListNumber(text: string, at: number, end: number): number {
  let place = text[at] === "(" ? at + 1 : at;
  const digits = place;
  while (place < end && place - digits < 3 && isDigit(text[place])) place += 1;
  if (place === digits || !".)、）".includes(text[place] ?? " ")) return at;
  return place + 1;
}

function matchWords(search: LabelSearch, at: number, form: LabelForm): number {
  let place = at;
  for (const [index, word] of form.words.entries()) {
    if (index > 0) place = skipBetween(search, place);
    const end = place + word.length;
    search.tally.steps += word.length;
    if (end > search.end || search.text.slice(place, end).toLowerCase() !== word) return -1;
    place = end;
  }
  return place;
}

function skipBetween(search: LabelSearch, at: number): number {
  let place = at;
  while (
    place < search.end &&
    (isBlank(search.text[place]) || "_-".includes(search.text[place] ?? " "))
  )
    place += 1;
  search.tally.steps += place - at + 1;
  return place;
}

/** Reads what follows the words of a label: a number, marks, the colon, marks. */
function afterWords(
  search: LabelSearch,
  start: number,
  words: number,
  wordsEnd: number,
): { readonly valueAt: number; readonly openMarks: string } | undefined {
  const { text, end, tally } = search;
  const opened = boldBefore(text, words, start);
  let place = skipStepNumber(search, wordsEnd);
  const marksAt = skipBlanks(text, place, end, tally);
  place = skipClosing(search, marksAt);
  const hasClosed = place > marksAt;
  place = skipBlanks(text, place, end, tally);
  const colon = text[place];
  if (colon === undefined || place >= end || !labelColons.includes(colon)) {
    const isHeading = opened !== "" || text.slice(start, words).includes("#");
    return search.mayLackColon === true && isHeading && place >= end
      ? { valueAt: place, openMarks: hasClosed ? "" : opened }
      : undefined;
  }
  place += 1;
  if (hasClosed || opened === "") {
    return { valueAt: skipStrayMarks(search, place), openMarks: hasClosed ? "" : opened };
  }
  const closing = skipBlanks(text, place, end, tally);
  return text.startsWith(opened, closing)
    ? { valueAt: closing + opened.length, openMarks: "" }
    : { valueAt: place, openMarks: opened };
}

/** The marks like `**` directly before the words. */
function boldBefore(text: string, words: number, start: number): string {
  let from = words;
  while (from > start && words - from < 3 && boldMarks.includes(text[from - 1] ?? " ")) from -= 1;
  let marks = "";
  for (let place = words - 1; place >= from; place -= 1) marks += text[place] ?? "";
  return marks;
}

/** Passes over the number of a step: ` 2`, `#2`, `(2)`, `[2]`. */
function skipStepNumber(search: LabelSearch, at: number): number {
  const { text, end } = search;
  let place = skipBlanks(text, at, end, search.tally);
  const opener = text[place] ?? "";
  if ("#([（-_".includes(opener)) place += 1;
  const digits = place;
  while (place < end && place - digits < 4 && isDigit(text[place])) place += 1;
  if (place === digits) return at;
  return ")]）.".includes(text[place] ?? " ") ? place + 1 : place;
}

function skipClosing(search: LabelSearch, at: number): number {
  let place = at;
  while (place < search.end && place - at < 4 && closingMarks.includes(search.text[place] ?? " "))
    place += 1;
  return place;
}

/** Passes over `**` behind the colon that nothing closes: a blank follows, so it begins no bold text. */
function skipStrayMarks(search: LabelSearch, at: number): number {
  const { text, end } = search;
  const marks = skipBlanks(text, at, end, search.tally);
  let place = marks;
  while (place < end && place - marks < 3 && text[place] === "*") place += 1;
  const isStray =
    place - marks > 1 && (place >= end || isBlank(text[place]) || isLineEnd(text[place]));
  return isStray ? place : at;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}
