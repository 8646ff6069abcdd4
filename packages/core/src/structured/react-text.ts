/** Counts the characters that a reader looks at, to prove that its work grows with the text and not faster. */
export interface Tally {
  steps: number;
}

const blanks =
  "\u0009\u000b\u000c\u0020\u00a0\u00ad\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
  "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u202f\u205f\u2060\u2066\u2067\u2068\u2069\u3000\ufeff";
const lineEnds = "\n\r\u0085\u2028\u2029";

/** Whether the character is a space or can't be seen; line ends are no blanks. */
export function isBlank(character: string | undefined): boolean {
  if (character === undefined || isVisibleAscii(character)) return false;
  return character === " " || blanks.includes(character);
}

/** Whether the character ends a line. */
export function isLineEnd(character: string | undefined): boolean {
  if (character === undefined || isVisibleAscii(character)) return false;
  return character === "\n" || lineEnds.includes(character);
}

/** Most characters: told apart at once, for each is looked at several times. */
function isVisibleAscii(character: string): boolean {
  return character > " " && character < "\u007f";
}

/** The first place from `at` on that is no blank. */
export function skipBlanks(text: string, at: number, end: number, tally: Tally): number {
  let place = at;
  while (place < end && isBlank(text[place])) place += 1;
  tally.steps += place - at + 1;
  return place;
}

/** The first place from `at` on that is neither a blank nor a line end. */
export function skipEdges(text: string, at: number, tally: Tally): number {
  let place = at;
  while (place < text.length && isEdge(text[place])) place += 1;
  tally.steps += place - at + 1;
  return place;
}

/** Where the line that holds `at` ends, before its line end. */
export function lineEndFrom(text: string, at: number, tally: Tally): number {
  let place = at;
  while (place < text.length && !isLineEnd(text[place])) place += 1;
  tally.steps += place - at + 1;
  return place;
}

/** Where the line after the line end at `end` begins. */
export function nextLine(text: string, end: number): number {
  return text[end] === "\r" && text[end + 1] === "\n" ? end + 2 : end + 1;
}

/** The text without blanks and line ends at both ends. */
export function trimEdges(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isEdge(text[start])) start += 1;
  while (end > start && isEdge(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isEdge(character: string | undefined): boolean {
  return isBlank(character) || isLineEnd(character);
}

const closers: Readonly<Record<string, string>> = {
  "[": "]",
  "(": ")",
  "{": "}",
  "［": "］",
  "（": "）",
  "【": "】",
};

/** The bracket that closes this one; nothing if it opens none. */
export function closerOf(bracket: string | undefined): string | undefined {
  return bracket === undefined ? undefined : closers[bracket];
}

/**
 * The place after the bracket that closes the one at `start`; -1 if none does before `end`. Brackets of the same sort
 * are counted; with `quoted`, those in double quotes are not.
 */
export function closedAt(
  text: string,
  start: number,
  end: number,
  settings: { readonly quoted: boolean; readonly tally: Tally },
): number {
  const open = text[start];
  const close = closerOf(open);
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < end; at += 1) {
    settings.tally.steps += 1;
    const character = text[at];
    if (isQuoted) {
      if (character === "\\") at += 1;
      else if (character === '"') isQuoted = false;
    } else if (settings.quoted && character === '"') isQuoted = true;
    else if (character === open) depth += 1;
    else if (character === close) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
