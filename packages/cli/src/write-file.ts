import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CommandError } from "./command-error.ts";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "may not be written (no permission)",
  EPERM: "may not be written (no permission)",
  EROFS: "may not be written (the disk is read-only)",
  EISDIR: "is a folder, not a file",
  EEXIST: "exists already",
  ENOTDIR: "can't be written: a part of its path is a file, not a folder",
  ENOENT: "can't be written: its folder can't be made",
  ENAMETOOLONG: "can't be written: its name is too long",
  ENOSPC: "can't be written: the disk is full",
};

/** Writes a text file; throws a plain sentence where it can't. `flag` is that of `fs`. */
export function writeTextFile(path: string, text: string, flag: "w" | "wx" = "w"): void {
  try {
    writeFileSync(resolve(path), text, { flag });
  } catch (fault) {
    throw unwritable(path, fault);
  }
}

/**
 * Makes a folder and those that it stands in; throws a plain sentence where it can't. One level after the other: where
 * nothing can be made, as in /proc, `mkdir` with `recursive` never ends. Returns whether it had to be made.
 */
export function makeFolder(path: string): boolean {
  const missing = missingFolders(resolve(path));
  try {
    for (const folder of missing) mkdirSync(folder);
  } catch (fault) {
    throw unwritable(path, fault);
  }
  if (!statSync(resolve(path)).isDirectory())
    throw new CommandError(`${path} is a file, not a folder`);
  return missing.length > 0;
}

/** The folders that are not there, the outermost first. */
function missingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder) && dirname(folder) !== folder; ) {
    missing.unshift(folder);
    folder = dirname(folder);
  }
  return missing;
}

/** Why a path can't be written, as what follows its name. */
export function writeReason(fault: unknown): string {
  const code = String((fault as NodeJS.ErrnoException).code);
  return REASONS[code] ?? `can't be written (${code})`;
}

function unwritable(path: string, fault: unknown): CommandError {
  return new CommandError(`${path} ${writeReason(fault)}`);
}
