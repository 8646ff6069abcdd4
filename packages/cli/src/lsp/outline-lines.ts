/** One line of a text. */
export interface Line {
  /** The offset of its first character. */
  readonly start: number;
  /** The offset behind its last one, the line break left out. */
  readonly end: number;
  /** Spaces before its first character. */
  readonly indent: number;
  /** Nothing stands on it, or a comment alone. */
  readonly isBlank: boolean;
  /** Nothing stands on it at all. */
  readonly isEmpty: boolean;
}

/** The lines of a text; the markers between documents, and directives, count as blank. */
export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start <= text.length) {
    const found = text.indexOf("\n", start);
    const stop = found === -1 ? text.length : found;
    const end = text[stop - 1] === "\r" && stop > start ? stop - 1 : stop;
    const content = text.slice(start, end);
    const indent = /^[ \t\uFEFF]*/u.exec(content)?.[0].length ?? 0;
    const isEmpty = indent === content.length;
    const isBlank = isEmpty || content[indent] === "#" || /^(?:---|\.\.\.|%)/u.test(content);
    lines.push({ start, end, indent, isBlank, isEmpty });
    if (found === -1) break;
    start = found + 1;
  }
  return lines;
}
