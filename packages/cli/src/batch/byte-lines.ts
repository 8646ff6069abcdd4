import { createReadStream } from "node:fs";

/** One line of a file of lines. */
export interface ByteLine {
  /** From 1. */
  readonly number: number;
  /** Without its line break; cut where it is too long. */
  readonly bytes: Buffer;
  /** The offset of what follows. */
  readonly end: number;
  /** False for a last line that no line break ends. */
  readonly isEnded: boolean;
  readonly isTooLong: boolean;
}

/** No row is so long but by mistake. */
export const MAX_LINE_BYTES: number = 16 * 1024 * 1024;

const LINE_BREAK = 10;

/** The lines of a file, one after the other; no more than one is held. */
export async function* byteLines(path: string): AsyncGenerator<ByteLine> {
  const stream = createReadStream(path);
  let pieces: Buffer[] = [];
  let kept = 0;
  let number = 0;
  let offset = 0;
  let isTooLong = false;
  const add = (piece: Buffer): void => {
    const room = MAX_LINE_BYTES - kept;
    if (piece.length > room) isTooLong = true;
    if (room <= 0) return;
    pieces.push(piece.subarray(0, room));
    kept += Math.min(piece.length, room);
  };
  const take = (isEnded: boolean): ByteLine => {
    number += 1;
    const line = { number, bytes: Buffer.concat(pieces), end: offset, isEnded, isTooLong };
    pieces = [];
    kept = 0;
    isTooLong = false;
    return line;
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let start = 0;
      for (
        let at = chunk.indexOf(LINE_BREAK);
        at >= 0;
        start = at + 1, at = chunk.indexOf(LINE_BREAK, start)
      ) {
        add(chunk.subarray(start, at));
        offset += at + 1 - start;
        yield take(true);
      }
      add(chunk.subarray(start));
      offset += chunk.length - start;
    }
    if (kept > 0) yield take(false);
  } finally {
    stream.destroy();
  }
}

const strict = new TextDecoder("utf-8", { fatal: true });

/** The text of a line without byte-order mark and carriage return; undefined where it is not UTF-8. */
export function lineText(bytes: Buffer): string | undefined {
  try {
    return strict.decode(bytes).replace(/\r$/u, "");
  } catch {
    return undefined;
  }
}
