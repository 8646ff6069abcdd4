import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { CommandError } from "../command-error.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { makeFolder, writeTextFile } from "../write-file.ts";

/** Those of this process: a number that a killed process left may be given to this one. */
const held = new Set<string>();

/** A lock is empty for no longer, and nobody takes one over for longer. */
const WRITING_MS = 5000;

const TRIES = 100;
const PAUSE_MS = 10;

/** Takes the lock of an output for this process; returns the way out. Throws while another process that lives has it. */
export function lockOutput(to: string): () => void {
  const file = `${to}.lock`;
  makeFolder(dirname(file));
  const own = `${process.pid} ${hostname()} ${randomUUID()}\n`;
  for (let tries = 1; !isWritten(file, own, tries === TRIES); tries++) {
    const found = readLock(file);
    if (found === undefined) continue;
    if (tries === TRIES || isLive(file, found)) throw isBusy(to, file, found);
    if (!takeAway(file, found)) pause();
  }
  held.add(own);
  const release = (): void => {
    // Whoever deleted it by hand may have let another one in.
    if (held.delete(own) && readLock(file) === own) rmSync(file, { force: true });
    process.off("exit", release);
  };
  process.on("exit", release);
  return release;
}

/** False where one stands there; throws where none can be made at all. */
function isWritten(file: string, own: string, isLast: boolean): boolean {
  try {
    writeTextFile(file, own, "wx");
    return true;
  } catch (fault) {
    // It may be gone again by the next look.
    if (isLast && readLock(file) === undefined) throw fault;
    return false;
  }
}

/** Removes a lock that nobody holds, one process at a time; false while another does. */
function takeAway(file: string, text: string): boolean {
  const guard = `${file}.taking`;
  try {
    writeFileSync(guard, "", { flag: "wx" });
  } catch {
    if (ageOf(guard) > WRITING_MS) rmSync(guard, { force: true });
    return false;
  }
  try {
    if (readLock(file) === text) removeLock(file, text);
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Under a name of its own first: what was put there since it was read is given back. */
function removeLock(file: string, text: string): void {
  const taken = `${file}.${randomUUID()}`;
  try {
    renameSync(file, taken);
    if (readLock(taken) !== text) linkSync(taken, file);
  } finally {
    rmSync(taken, { force: true });
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function ageOf(file: string): number {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return mtimeMs === undefined ? 0 : Date.now() - mtimeMs;
}

function isLive(file: string, text: string): boolean {
  const [pid, host] = text.trim().split(" ");
  // Whoever made it may be about to write into it.
  if (host === undefined) return ageOf(file) < WRITING_MS;
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return held.has(text);
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === "EPERM";
  }
}

function isBusy(to: string, file: string, text: string): CommandError {
  const [pid, host] = text.trim().split(" ");
  const who = host === undefined ? "another process" : `process ${pid} on ${host}`;
  const cure = "wait for it, or name another --to";
  return new CommandError(
    `${to} is being written by ${who}; ${cure} (if that process is long gone, delete ${file})`,
    { code: "batch-busy", exitCode: EXIT_CODES.failed },
  );
}
