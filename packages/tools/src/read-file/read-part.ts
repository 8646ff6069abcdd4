import type { TextLine } from "../shared/text-lines.ts";

/** Which part of a file is wanted, and how much of it fits. */
export interface Part {
  /** The first line, from 1. */
  readonly first: number;
  readonly maxLines: number | undefined;
  readonly maxBytes: number;
  /** False where the file is too long to be read on for the number of its lines. */
  readonly isCounted: boolean;
}

interface Taken {
  readonly shown: readonly string[];
  /** Characters left out of the one line that did not fit. */
  readonly cutCharacters: number;
  /** Lines met; all of the file where `isEnd`. */
  readonly count: number;
  readonly isEnd: boolean;
}

/** Returns whole lines within a limit; a last line in square brackets says what was left out. */
export async function readPart(lines: AsyncIterable<TextLine>, part: Part): Promise<string> {
  const { first, maxBytes } = part;
  const { shown, cutCharacters, count, isEnd } = await take(lines, part);
  if (count === 0) return "[the file is empty]";
  if (shown.length === 0) return `[the file has ${count} lines; offset ${first} is beyond its end]`;
  const last = first + shown.length - 1;
  const total = isEnd ? ` of ${count}` : "";
  const more = !isEnd || last < count ? `; go on with offset ${last + 1}` : "";
  const text = shown.join("\n");
  if (cutCharacters > 0)
    return `${text}\n[line ${first}${total} is cut at ${maxBytes} bytes, ${cutCharacters} characters are left out${more}]`;
  if (first === 1 && isEnd && last === count) return text;
  const range = shown.length === 1 ? `line ${first}` : `lines ${first} to ${last}`;
  return `${text}\n[${range}${total}${more}]`;
}

async function take(
  lines: AsyncIterable<TextLine>,
  { first, maxLines = Number.POSITIVE_INFINITY, maxBytes, isCounted }: Part,
): Promise<Taken> {
  const shown: string[] = [];
  let cutCharacters = 0;
  let bytes = 0;
  let count = 0;
  let isFull = false;
  for await (const line of lines) {
    count += 1;
    if (count < first) continue;
    isFull ||= shown.length >= maxLines || cutCharacters > 0;
    if (!isFull) {
      bytes += Buffer.byteLength(line.text) + 1;
      const isTooLong = line.cutCharacters > 0 || bytes > maxBytes + 1;
      if (!isTooLong) shown.push(line.text);
      else if (shown.length > 0) isFull = true;
      else {
        const head = headOf(line.text, maxBytes);
        shown.push(head);
        cutCharacters = line.cutCharacters + line.text.length - head.length;
      }
    }
    if (isFull && !isCounted) return { shown, cutCharacters, count, isEnd: false };
  }
  return { shown, cutCharacters, count, isEnd: true };
}

function headOf(line: string, maxBytes: number): string {
  return new TextDecoder().decode(Buffer.from(line).subarray(0, maxBytes)).replace(/\uFFFD$/, "");
}
