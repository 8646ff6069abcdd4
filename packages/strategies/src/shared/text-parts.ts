/** A piece of a text no longer than a long line; all of them, one after the other, are the text. */
export interface TextLine {
  /** Its place among the lines, from 0. */
  readonly number: number;
  readonly text: string;
}

/** Where a part begins, in lines from 0. */
export interface PartStart {
  readonly title: string;
  readonly line: number;
}

/** A part of a text; `text` is the text from the character `from` up to, and without, the character `to`. */
export interface Part {
  readonly id: string;
  readonly title: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const longestLine = 500;
const longestTitle = 80;

/** The lines of a text with the marks that end them; blank lines belong to the line before, and long lines are divided. */
export function linesOf(text: string): readonly TextLine[] {
  const pieces: string[] = [];
  for (const [line] of text.matchAll(/[^\n]*\n|[^\n]+$/gu)) {
    const last = pieces.at(-1);
    // Blank lines before the first word go to that word.
    const isJoined = last !== undefined && (line.trim() === "" || last.trim() === "");
    if (isJoined) pieces[pieces.length - 1] = last + line;
    else pieces.push(line);
  }
  return pieces.flatMap(divided).map((piece, number) => ({ number, text: piece }));
}

/** A line in pieces of bounded length: after a sentence, else after a space, else between two characters. */
function divided(line: string): readonly string[] {
  const pieces: string[] = [];
  const length = line.trimEnd().length;
  let at = 0;
  while (length - at > longestLine) {
    const end = at + endIn(line.slice(at, at + longestLine));
    pieces.push(line.slice(at, end));
    at = end;
  }
  return [...pieces, line.slice(at)];
}

function endIn(head: string): number {
  const sentence = Math.max(
    ...[". ", "! ", "? ", "。", "！", "？"].map((mark) => ends(head, mark)),
  );
  if (sentence > longestLine / 2) return sentence;
  const space = head.lastIndexOf(" ") + 1;
  if (space > longestLine / 2) return space;
  return /[\uD800-\uDBFF]$/u.test(head) ? head.length - 1 : head.length;
}

function ends(head: string, mark: string): number {
  const at = head.lastIndexOf(mark);
  return at < 0 ? 0 : at + mark.length;
}

/** Lines in windows of bounded size, and how many lines are behind the last one. */
export function windowsOf(
  lines: readonly TextLine[],
  maxChars: number,
  maxWindows: number,
): { readonly windows: readonly (readonly TextLine[])[]; readonly unread: number } {
  const windows: TextLine[][] = [];
  let size = Infinity;
  for (const line of lines) {
    if (size + line.text.length > maxChars) {
      windows.push([]);
      size = 0;
    }
    windows.at(-1)?.push(line);
    size += line.text.length;
  }
  const unread = windows.slice(maxWindows).reduce((sum, window) => sum + window.length, 0);
  return { windows: windows.slice(0, maxWindows), unread };
}

/** Lines as a model reads them, each with its number from 1. */
export function numbered(lines: readonly TextLine[]): string {
  return lines
    .map(({ number, text }) => `${number + 1}| ${text.trim().replaceAll(/\s+/gu, " ")}`)
    .join("\n");
}

/**
 * Cuts a text at the starts of its parts, in their order; together the parts are the whole text.
 *
 * Text before the first start, and text from line `read` on, is a part too, called after its first words. Above the maximum
 * the last parts but that one go to the part before them; `merged` is how many.
 */
export function cutParts(
  lines: readonly TextLine[],
  starts: readonly PartStart[],
  read: number,
  maxParts: number,
): { readonly parts: readonly Part[]; readonly merged: number } {
  if (lines.length === 0) return { parts: [], merged: 0 };
  const byLine = new Map<number, string>([[0, ""]]);
  for (const { line, title } of starts)
    if (line < read && (byLine.get(line) ?? "") === "") byLine.set(line, title.trim());
  const rest = read > 0 && read < lines.length ? 1 : 0;
  const kept = [...byLine]
    .toSorted(([one], [other]) => one - other)
    .slice(0, Math.max(1, maxParts - rest));
  const merged = byLine.size - kept.length;
  if (rest === 1 && maxParts > 1) kept.push([read, ""]);
  return { parts: cutAt(lines, kept), merged };
}

function cutAt(
  lines: readonly TextLine[],
  kept: readonly (readonly [line: number, title: string])[],
): readonly Part[] {
  let at = 0;
  return kept.map(([line, title], index) => {
    const text = lines
      .slice(line, kept[index + 1]?.[0])
      .map((piece) => piece.text)
      .join("");
    const from = at;
    at += text.length;
    return { id: `part-${index + 1}`, title: titleOf(title, text), from, to: at, text };
  });
}

function titleOf(title: string, text: string): string {
  const words = (title === "" ? text.trim() : title).replaceAll(/\s+/gu, " ");
  if (words.length <= longestTitle) return words;
  return `${words.slice(0, longestTitle - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}
