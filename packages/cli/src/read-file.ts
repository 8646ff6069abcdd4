import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { CommandError } from "./command-error.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EISDIR: "is a folder, not a file",
  EACCES: "may not be read (no permission)",
  EPERM: "may not be read (no permission)",
  ENAMETOOLONG: "has a name that is too long",
  ELOOP: "is a link that leads to itself",
};

/** The absolute path of a file that an option names; throws where there is none. `option` is what stands before the path. */
export function requireFile(path: string, option: string): string {
  const absolute = resolve(path);
  try {
    if (!statSync(absolute).isDirectory()) return absolute;
  } catch (fault) {
    throw unreadable(path, option, fault);
  }
  throw new CommandError(`${option}${path} ${REASONS["EISDIR"]}`);
}

/** Reads a text file that an option names; throws where it can't be read. */
export function readTextFile(path: string, option: string): string {
  return readBytes(path, option).toString("utf8");
}

/** Reads a file that an option names; throws where it can't be read. */
export function readBytes(path: string, option: string): Buffer {
  try {
    return readFileSync(resolve(path));
  } catch (fault) {
    throw unreadable(path, option, fault);
  }
}

function unreadable(path: string, option: string, fault: unknown): CommandError {
  const code = String((fault as NodeJS.ErrnoException).code);
  return new CommandError(`${option}${path} ${REASONS[code] ?? `can't be read (${code})`}`);
}
