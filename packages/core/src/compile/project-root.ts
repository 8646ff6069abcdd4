import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the nearest `package.json` at or above a folder; the folder itself where there is none. */
export function projectRootOf(folder: string): string {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, "package.json"))) return current;
    if (dirname(current) === current) return folder;
  }
}
