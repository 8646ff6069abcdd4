import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Diagnostics } from "../text/diagnostic.ts";
import type { SpecNode } from "../text/spec-node.ts";
import { labelOf } from "./node-text.ts";

/** Makes a path of the spec absolute against the file that says it; outside the root it is an error. `${run:id}` stays. */
export function resolvePath(
  node: SpecNode,
  text: string,
  root: string,
  diagnostics: Diagnostics,
): string | undefined {
  if (text === "" || text.includes("\0")) {
    diagnostics.error(
      "LW-FILE-MISSING",
      node,
      `\`${labelOf(node)}\` is a path; it must not be empty`,
      `write \`${labelOf(node)}: ./FILE\``,
    );
    return undefined;
  }
  const absolute = resolve(root, dirname(node.file), text);
  if (isInside(root, absolute) && isInside(realPathOf(root), realPathOf(absolute))) return absolute;
  const message = `\`${text}\` leads outside the project root \`${root}\``;
  const repair = "name a path inside the project, or choose another root with --root";
  diagnostics.error("LW-FILE-OUTSIDE-ROOT", node, message, repair);
  return undefined;
}

/** Whether a path is a folder or lies in it. */
export function isInside(root: string, absolute: string): boolean {
  const way = relative(root, absolute);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

// A link is followed where it exists; what does not exist yet will be made below its nearest folder that does.
function realPathOf(absolute: string): string {
  let existing = absolute;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  return resolve(realpathSync(existing), relative(existing, absolute));
}
