import { neutralize } from "./neutralize.ts";

/** How wide a screen is taken to be that does not say it. */
const USUAL_COLUMNS = 80;
const LEAST_COLUMNS = 20;
/** Where a row goes on that was too long, and where something is left out: no row of ours begins so, and none of theirs can. */
const GOES_ON = "  │ ";
const GAP = "  ┆ ";

/**
 * Text from outside as rows that no screen breaks again, so that nothing in it can stand at the edge like a row of ours:
 * each line begins with `first`, and each of its further rows with a mark.
 */
export function screenRows(text: string, columns: number | undefined, first: string): string {
  const room = roomOf(columns);
  return neutralize(text)
    .replaceAll("\t", "  ")
    .split("\n")
    .map((line) => first + piecesOf(line, room, first).join(`\n${GOES_ON}`))
    .join("\n");
}

/** The same with the middle left out where the text is longer than allowed; how much is told. */
export function shortenedRows(
  text: string,
  columns: number | undefined,
  { first, maxChars }: { readonly first: string; readonly maxChars: number },
): string {
  const safe = neutralize(text);
  if (safe.length <= maxChars) return screenRows(safe, columns, first);
  const tail = Math.floor(maxChars / 3);
  // Not within a pair of halves.
  const start = safe.slice(0, maxChars - tail).replace(/[\uD800-\uDBFF]$/u, "");
  const end = safe.slice(safe.length - tail).replace(/^[\uDC00-\uDFFF]/u, "");
  const missing = safe.length - start.length - end.length;
  const [goesOn = "", ...lines] = end.split("\n");
  return [
    screenRows(start, columns, first),
    gapRow(`${missing} characters are left out`),
    screenRows(goesOn, columns, GOES_ON),
    ...lines.map((line) => screenRows(line, columns, first)),
  ].join("\n");
}

/** A row that says what is left out. */
export function gapRow(text: string): string {
  return `${GAP}${text}`;
}

// The last column stays free: some screens go on at the next row once it is full.
function roomOf(columns = USUAL_COLUMNS): number {
  return Math.max(LEAST_COLUMNS, columns) - 1;
}

/** Broken behind the last space of a row, and within a word only where it is long; no character is left out. */
function piecesOf(line: string, room: number, first: string): readonly string[] {
  const pieces: string[] = [];
  let [piece, used, limit] = ["", 0, room - first.length];
  for (const character of line) {
    const width = widthOf(character);
    if (used + width > limit) {
      const end = breakOf(piece, character, limit);
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end);
      [used, limit] = [columnsOf(piece), room - GOES_ON.length];
    }
    piece += character;
    used += width;
  }
  return [...pieces, piece];
}

/** Where a row is broken that the next character does not fit on. */
function breakOf(piece: string, next: string, limit: number): number {
  if (next === " ") return piece.length;
  const end = piece.lastIndexOf(" ") + 1;
  return columnsOf(piece.slice(end)) > limit / 3 ? piece.length : end;
}

function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** The most columns that a character takes; what is narrower than that breaks a row early, which does no harm. */
function widthOf(character: string): number {
  return character <= "~" ? 1 : 2;
}
