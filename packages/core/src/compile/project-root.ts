import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The folder of the nearest `package.json` at or above a folder; the folder itself where there is none; absolute. */
export function projectRoot(folder: string): string {
  const start = resolve(folder);
  for (let current = start; ; current = dirname(current)) {
    if (existsSync(join(current, "package.json"))) return current;
    if (dirname(current) === current) return start;
  }
}
