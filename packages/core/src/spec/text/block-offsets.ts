/** Where the lines of a block scalar stand: the spaces before each, and the offset of each in the value; -1 for an empty line. */
export interface BlockLayout {
  readonly blockIndent: number;
  readonly blockLines: readonly number[];
}

/**
 * Finds the lines of a block scalar (`|` or `>`) again in its value, so that an offset in the value has a line and a column;
 * `source` is what the file holds from the `|` or `>` on. Undefined where a line is not found.
 */
export function layoutOfBlock(source: string, value: string): BlockLayout | undefined {
  const [header = "", ...lines] = source.split(/\r?\n/);
  const given = /^[|>][-+]?([1-9])/.exec(header)?.[1];
  const first = lines.find((line) => line.trim() !== "");
  const blockIndent =
    given === undefined ? (/^ */.exec(first ?? "")?.[0].length ?? 0) : indentOfGiven(lines, value);
  const blockLines: number[] = [];
  let position = 0;
  for (const line of lines) {
    const text = line.slice(blockIndent);
    if (text.trim() === "") {
      blockLines.push(-1);
      continue;
    }
    const start = value.indexOf(text, position);
    if (start === -1) return undefined;
    blockLines.push(start);
    position = start + text.length;
  }
  return { blockIndent, blockLines };
}

// `|2` counts from the indentation around it, which the value tells: its first line keeps the spaces that are too many.
function indentOfGiven(lines: readonly string[], value: string): number {
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const kept = value.split("\n").find((line) => line.trim() !== "") ?? "";
  return Math.max(0, first.length - kept.length);
}
