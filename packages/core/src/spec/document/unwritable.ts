import { accessSync, constants, type Stats, statSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import type { SpecNode } from "../text/spec-node.ts";
import { writeInstead } from "./node-text.ts";

/**
 * Why no file can be written at a path; undefined where one can. Folders that are not there are made, and what follows
 * `${run:` in a path is known only to the run.
 */
export function unwritable(
  absolute: string,
  root: string,
  isAllowed: (path: string) => boolean = mayWrite,
): string | undefined {
  const [known = ""] = absolute.split("${run:");
  const named = (path: string): string => relative(root, path).split(sep).join("/") || ".";
  let path = known === absolute ? known : dirname(`${known}run`);
  let status = statOf(path);
  if (known === absolute && status !== undefined) {
    if (status.isDirectory()) return `\`${named(path)}\` is a folder`;
    return isAllowed(path) ? undefined : `\`${named(path)}\` may not be changed`;
  }
  while (status === undefined && dirname(path) !== path) {
    path = dirname(path);
    status = statOf(path);
  }
  if (status?.isDirectory() !== true) return `\`${named(path)}\` is a file, not a folder`;
  return isAllowed(path) ? undefined : `nothing may be written to the folder \`${named(path)}\``;
}

/** What to do about a path at which no file can be written: a folder lacks the name of a file in it. */
export function unwritableRepair(absolute: string, node: SpecNode): string {
  const isFolder = statOf(absolute)?.isDirectory() === true;
  if (!isFolder || node.kind !== "scalar") return "name a file in a folder that may be written to";
  const folder = String(node.value).replace(/[/\\]+$/, "");
  return writeInstead(node, JSON.stringify(`${folder}/NAME.jsonl`));
}

/** Undefined for what is not there, also below a file. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
