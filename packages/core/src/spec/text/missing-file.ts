import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { isInside } from "./read-source.ts";
import { didYouMean } from "./suggest.ts";

/** The repair of a path to a file that is not there: the one beside it with nearly its name, or where it is looked for. */
export function missingFileRepair(path: string, root: string, saidIn: string): string {
  const absolute = resolve(root, path);
  const near = didYouMean(basename(absolute), namesIn(dirname(absolute), root));
  if (near !== undefined) return near;
  return saidIn.startsWith("--")
    ? "make it, or name another file"
    : `make it, or mend the path: it is relative to \`${saidIn}\``;
}

// Nothing is told of folders outside the root, links included.
function namesIn(folder: string, root: string): readonly string[] {
  try {
    return isInside(realpathSync(root), realpathSync(folder)) ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}
