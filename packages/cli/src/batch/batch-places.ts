import { accessSync, constants, existsSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isLetterFile, type Program } from "@loopwright/core";
import { CommandError } from "../command-error.ts";
import { writeReason } from "../write-file.ts";
import type { BatchOptions } from "./batch-options.ts";
import type { BatchFiles } from "./resume-batch.ts";

/** Where a batch writes; throws where that is a file of another kind. */
export async function placeBatch(
  program: Program,
  options: BatchOptions,
  root: string,
): Promise<BatchFiles> {
  const { from, to } = options;
  const toPath = resolve(to);
  const letters =
    options.deadLetters ??
    program.output?.deadLetter ??
    `${to.replace(/\.jsonl$/u, "")}.dead.jsonl`;
  const deadLetters = resolve(letters);
  const others: readonly (readonly [string, string])[] = [
    [resolve(from), "the file that the rows come from"],
    [program.file, "the spec"],
  ];
  refuseSame(`--to ${to}`, toPath, others);
  refuseFolder(`--to ${to}`, toPath);
  if (isSame(toPath, deadLetters))
    throw new CommandError(`the dead letters can't go to ${to}, where the values go`);
  const what =
    options.deadLetters === undefined
      ? `the file for dead letters, ${letters},`
      : `--dead-letters ${letters}`;
  refuseSame(what, deadLetters, others);
  refuseFolder(what, deadLetters);
  await refuseForeign(what, deadLetters);
  return { to: nameIn(root, toPath), toPath, deadLetters };
}

function refuseSame(
  what: string,
  path: string,
  others: readonly (readonly [string, string])[],
): void {
  for (const [other, name] of others)
    if (isSame(path, other)) throw new CommandError(`${what} is ${name}; name another file`);
}

function refuseFolder(what: string, path: string): void {
  if (existsSync(path) && statSync(path).isDirectory())
    throw new CommandError(`${what} is a folder; name a file`);
  let place = path;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  try {
    if (place !== path && !statSync(place).isDirectory())
      throw Object.assign(new Error(place), { code: "ENOTDIR" });
    accessSync(place, constants.W_OK);
  } catch (fault) {
    throw new CommandError(`${what} ${writeReason(fault)}`);
  }
}

/** Letters are appended: what holds anything else would be spoiled. */
async function refuseForeign(what: string, path: string): Promise<void> {
  if (await isLetterFile(path)) return;
  throw new CommandError(
    `${what} exists and holds no dead letters; name another file, or delete it yourself`,
  );
}

/** Whether two paths lead to one file, links followed. */
function isSame(one: string, other: string): boolean {
  if (realPath(one) === realPath(other)) return true;
  const [a, b] = [one, other].map((path) => (existsSync(path) ? statSync(path) : undefined));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino && a.ino !== 0;
}

const MAX_LINKS = 40;

/** Also of a file that does not exist, behind a link or in a folder behind one. */
function realPath(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    if (links > MAX_LINKS || dirname(path) === path) return path;
  }
  try {
    return realPath(resolve(dirname(path), readlinkSync(path)), links + 1);
  } catch {
    return join(realPath(dirname(path), links + 1), basename(path));
  }
}

/** A path as letters keep it: relative to the project where it lies inside, else absolute. */
export function nameIn(root: string, path: string): string {
  const inside = relative(root, path);
  return inside.startsWith("..") || isAbsolute(inside) ? path : inside.split(sep).join("/");
}

/** The path that a letter names. */
export function pathIn(root: string, name: string): string {
  return isAbsolute(name) ? name : join(root, name);
}
