import { randomUUID } from "node:crypto";
import { mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { messageOf, ToolError } from "@loopwright/core/plugin";
import { hasCode } from "./error-code.ts";
import { type Line, readLines, tellUnreadableLines } from "./lesson-lines.ts";
import { withLock } from "./lock.ts";

/** What an operation makes of the lines: nothing, some more, or all lines anew. */
export type Edit<T> = {
  readonly result: T;
  readonly append?: Line;
  readonly rewrite?: readonly Line[];
};

const NEWLINE = Buffer.from("\n");
/** A rename may fail on Windows for as long as another process reads the file. */
const MAX_RENAMES = 10;

/** A JSONL file that several processes may share: a reader sees it whole, writers take turns. */
export class LessonFile {
  readonly #path: string;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** The lines as they stand. */
  async read(): Promise<readonly Line[]> {
    return this.#told("read", () => readLines(this.#path));
  }

  /** What of it can't be read, in words. */
  async faults(): Promise<readonly string[]> {
    return this.#told("read", () => tellUnreadableLines(this.#path));
  }

  /** Reads, decides and writes as one; edits of one instance run in the order they were asked for. */
  async edit<T>(decide: (lines: readonly Line[]) => Edit<T>): Promise<T> {
    const edited = this.#turn.then(() => this.#told("write", () => this.#editNow(decide)));
    this.#turn = edited.catch(() => undefined);
    return edited;
  }

  async #editNow<T>(decide: (lines: readonly Line[]) => Edit<T>): Promise<T> {
    await mkdir(dirname(this.#path), { recursive: true });
    return withLock(`${this.#path}.lock`, async () => {
      const edit = decide(await readLines(this.#path));
      if (edit.rewrite !== undefined) await rewrite(this.#path, edit.rewrite);
      else if (edit.append !== undefined) await append(this.#path, edit.append);
      return edit.result;
    });
  }

  async #told<T>(verb: "read" | "write", act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (cause) {
      const message = `can't ${verb} the lessons in ${this.#path}: ${messageOf(cause)}; check that the path is a file in a folder this process may write to`;
      throw new ToolError("memory-failed", message, { cause, details: { path: this.#path } });
    }
  }
}

async function append(path: string, line: Line): Promise<void> {
  const file = await open(path, "a+");
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    // A writer that died in the middle leaves a line without its end.
    const isTorn = size > 0 && !last.equals(NEWLINE);
    await file.appendFile(Buffer.concat([isTorn ? NEWLINE : Buffer.alloc(0), line.bytes, NEWLINE]));
  } finally {
    await file.close();
  }
}

async function rewrite(path: string, lines: readonly Line[]): Promise<void> {
  const target = await realpath(path);
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    const { mode } = await stat(target);
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(Buffer.concat(lines.flatMap((line) => [line.bytes, NEWLINE])));
      await file.datasync();
    } finally {
      await file.close();
    }
    await replace(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function replace(draft: string, target: string): Promise<void> {
  for (let renames = 1; ; renames += 1) {
    try {
      await rename(draft, target);
      return;
    } catch (error) {
      if (!hasCode(error, "EPERM") || renames === MAX_RENAMES) throw error;
      await wait(20);
    }
  }
}
