import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

const NEWLINE = "\n";
/** Bytes that may wait for the next write that somebody waits for. */
const MAX_WAITING = 64_000;

/**
 * One file that lines are appended to, in order; it opens itself on the first write. What waits while a write is under
 * way goes out together in the next one. After a failed write the file is opened anew, and its lines are gone.
 */
export class LogFile {
  readonly #path: string;
  #waiting: string[] = [];
  #waitingSize = 0;
  #handle: FileHandle | undefined;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Takes a line; it is on its way to the disk after the next `written`. */
  append(line: string): void {
    this.#waiting.push(line);
    this.#waitingSize += line.length;
  }

  /** True when so much waits that somebody should wait for it. */
  get isFull(): boolean {
    return this.#waitingSize > MAX_WAITING;
  }

  /** Settles when every line taken so far is written, or rejects when it could not be. */
  written(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const before = this.#writing.catch(() => undefined);
    const next = before.then(() => {
      this.#next = undefined;
      return this.#write();
    });
    this.#next = next;
    this.#writing = next;
    return next;
  }

  /** Writes what waits and closes the file; a later line opens it again. */
  async close(): Promise<void> {
    try {
      await this.written();
    } finally {
      const handle = this.#handle;
      this.#handle = undefined;
      await handle?.close();
    }
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join(NEWLINE) + NEWLINE;
    this.#waiting = [];
    this.#waitingSize = 0;
    try {
      this.#handle ??= await openForLines(this.#path);
      await this.#handle.appendFile(text);
    } catch (error) {
      const handle = this.#handle;
      this.#handle = undefined;
      await handle?.close().catch(() => undefined);
      throw error;
    }
  }
}

/** Opens for appending; a line that a crash or a full disk cut off is ended first, so that it spoils no other. */
async function openForLines(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true });
  const handle = await open(path, "a+");
  const { size } = await handle.stat();
  if (size === 0) return handle;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer.toString() !== NEWLINE) await handle.appendFile(NEWLINE);
  return handle;
}
