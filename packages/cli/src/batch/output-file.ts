import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { CommandError } from "../command-error.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { makeFolder, writeReason } from "../write-file.ts";
import { type BatchRecord, readRecord } from "./batch-record.ts";
import { byteLines, lineText } from "./byte-lines.ts";

/** What stands in an output already. */
export interface FoundOutput {
  /** Where whole lines end; what follows was left unfinished. */
  readonly end: number;
  /** True where the last line is whole and lacks its line break alone. */
  readonly lacksBreak: boolean;
  /** Lines that are no rows, though they ended; from 1. */
  readonly broken: readonly number[];
}

/** Reads what an earlier call wrote, row by row. */
export async function readOutput(
  path: string,
  take: (record: BatchRecord) => void,
): Promise<FoundOutput> {
  const broken: number[] = [];
  let end = 0;
  let lacksBreak = false;
  if (!existsSync(path)) return { end, lacksBreak, broken };
  for await (const line of byteLines(path)) {
    const text = lineText(line.bytes);
    const record = text === undefined ? undefined : readRecord(text);
    if (record !== undefined) take(record);
    else if (line.isEnded && text?.trim() !== "") broken.push(line.number);
    if (!line.isEnded && record === undefined) break;
    lacksBreak = !line.isEnded;
    end = line.end;
  }
  return { end, lacksBreak, broken };
}

/** Lines reach the disk at least so often, so that little is lost with the machine. */
const SYNC_MS = 1000;

/** The file that rows with a value are appended to, each in one write. */
export class OutputFile {
  readonly path: string;
  readonly #file: number;
  #syncedAt = 0;

  constructor(path: string, found: FoundOutput) {
    makeFolder(dirname(path));
    this.path = path;
    try {
      this.#file = openSync(path, "a");
      ftruncateSync(this.#file, found.end);
      if (found.lacksBreak) writeSync(this.#file, "\n");
    } catch (fault) {
      throw unwritable(path, fault);
    }
  }

  append(record: BatchRecord, now: number): void {
    try {
      const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
      if (now - this.#syncedAt < SYNC_MS) return;
      fsyncSync(this.#file);
      this.#syncedAt = now;
    } catch (fault) {
      throw unwritable(this.path, fault);
    }
  }

  close(): void {
    try {
      fsyncSync(this.#file);
    } finally {
      closeSync(this.#file);
    }
  }
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}

/** A part of a path that is a file can't be made a folder. */
function reasonOf(fault: unknown): string {
  const isPart = (fault as NodeJS.ErrnoException).code === "EEXIST";
  return writeReason(isPart ? { code: "ENOTDIR" } : fault);
}

/** That a file can't be written, and what to do. */
export function unwritable(path: string, fault: unknown): CommandError {
  const { code } = fault as NodeJS.ErrnoException;
  // What core appends to is told in words already.
  const told = fault instanceof Error && fault.message.startsWith(`${path} `);
  const what = told || code === undefined ? messageOf(fault) : `${path} ${reasonOf(fault)}`;
  return new CommandError(`${what}; give the same command again once that is mended`, {
    code: "output-unwritable",
    exitCode: EXIT_CODES.failed,
  });
}
