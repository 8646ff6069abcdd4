/** Which part of a text is wanted, and how much of it fits. */
export interface Cut {
  /** The first line, from 1. */
  readonly first: number;
  readonly maxLines: number | undefined;
  readonly maxBytes: number;
}

/** Returns whole lines of a text within a limit; a last line in square brackets says what was left out. */
export function cutLines(text: string, { first, maxLines, maxBytes }: Cut): string {
  if (text === "") return "[the file is empty]";
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (first > lines.length)
    return `[the file has ${lines.length} lines; offset ${first} is beyond its end]`;
  const wanted = lines.slice(first - 1, maxLines === undefined ? undefined : first - 1 + maxLines);
  const shown = fitting(wanted, maxBytes);
  if (shown.length === 0) {
    return `${headOf(wanted[0] ?? "", maxBytes)}\n[line ${first} of ${lines.length} is cut at ${maxBytes} bytes]`;
  }
  const last = first + shown.length - 1;
  if (first === 1 && last === lines.length) return shown.join("\n");
  const more = last < lines.length ? `; go on with offset ${last + 1}` : "";
  return `${shown.join("\n")}\n[lines ${first} to ${last} of ${lines.length}${more}]`;
}

function fitting(lines: readonly string[], maxBytes: number): readonly string[] {
  let bytes = 0;
  const end = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > maxBytes + 1;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

function headOf(line: string, maxBytes: number): string {
  return new TextDecoder().decode(Buffer.from(line).subarray(0, maxBytes)).replace(/\uFFFD$/, "");
}
