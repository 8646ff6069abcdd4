import type { FileHandle } from "node:fs/promises";

/** One line of a file, without its end. */
export interface TextLine {
  /** As much of the line as is kept. */
  readonly text: string;
  /** How many characters of it are left out. */
  readonly cutCharacters: number;
}

/** How a file is read line by line. */
export interface LineReading {
  /** As `TextDecoder` names it. */
  readonly encoding: string;
  /** Characters of one line that are kept. */
  readonly maxLine: number;
  readonly signal: AbortSignal;
}

const CHUNK_BYTES = 65_536;

/**
 * Reads a file line by line from its start, in memory bounded by `maxLine`. Bytes that are no text in the encoding are a
 * TypeError.
 */
export async function* textLines(
  handle: FileHandle,
  { encoding, maxLine, signal }: LineReading,
): AsyncGenerator<TextLine, void, void> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let kept = "";
  let cut = 0;
  let isOpen = false;
  const keep = (part: string): void => {
    const room = Math.max(0, maxLine - kept.length);
    kept += part.slice(0, room);
    cut += Math.max(0, part.length - room);
  };
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
    position += bytesRead;
    const isEnd = bytesRead === 0;
    const text = decoder.decode(buffer.subarray(0, bytesRead), { stream: !isEnd });
    const parts = text.split("\n");
    const rest = parts.pop() ?? "";
    for (const part of parts) {
      keep(part);
      yield { text: kept, cutCharacters: cut };
      kept = "";
      cut = 0;
      isOpen = false;
    }
    keep(rest);
    isOpen ||= rest !== "";
    if (isEnd) break;
  }
  if (isOpen) yield { text: kept, cutCharacters: cut };
}

/** Reads the first bytes of a file. */
export async function readHead(handle: FileHandle, bytes: number): Promise<Uint8Array> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await handle.read(buffer, 0, bytes, 0);
  return buffer.subarray(0, bytesRead);
}
