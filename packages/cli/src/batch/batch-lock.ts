import { readFileSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { CommandError } from "../command-error.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { makeFolder, writeTextFile } from "../write-file.ts";

/** Those of this process: a number that a killed process left may be given to this one. */
const held = new Set<string>();

/** A lock is empty for no longer. */
const WRITING_MS = 5000;

/** Takes the lock of an output for this process; returns the way out. Throws while another process that lives has it. */
export function lockOutput(to: string): () => void {
  const file = `${to}.lock`;
  makeFolder(dirname(file));
  const own = `${process.pid} ${hostname()} ${Date.now()}\n`;
  try {
    writeTextFile(file, own, "wx");
  } catch (fault) {
    const found = readLock(file);
    if (found === undefined) throw fault;
    if (isLive(file, found)) throw isBusy(to, file, found);
    rmSync(file, { force: true });
    writeTextFile(file, own, "wx");
  }
  held.add(file);
  const release = (): void => {
    if (held.delete(file)) rmSync(file, { force: true });
    process.off("exit", release);
  };
  process.on("exit", release);
  return release;
}

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function isLive(file: string, text: string): boolean {
  const [pid, host] = text.trim().split(" ");
  // Whoever made it may be about to write into it.
  if (host === undefined) return Date.now() - statSync(file).mtimeMs < WRITING_MS;
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return held.has(file);
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === "EPERM";
  }
}

function isBusy(to: string, file: string, text: string): CommandError {
  const [pid, host] = text.trim().split(" ");
  const cure = "wait for it, or name another --to";
  return new CommandError(
    `${to} is being written by process ${pid} on ${host}; ${cure} (if that process is long gone, delete ${file})`,
    { code: "batch-busy", exitCode: EXIT_CODES.failed },
  );
}
