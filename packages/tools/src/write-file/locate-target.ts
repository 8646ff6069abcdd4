import { lstat, mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { ToolError } from "@loopwright/core/plugin";
import {
  isInside,
  isSecretFile,
  openRoot,
  outside,
  resolveBelow,
} from "../shared/confined-path.ts";

/** A file that may be written. */
export interface WriteTarget {
  readonly root: string;
  /** Absolute, all links resolved; it exists or its folder does. */
  readonly file: string;
  /** Permission bits of the file that is there. */
  readonly mode: number | undefined;
}

/** Finds where a file is written and makes its folders; what leads out, or to what is never written, is a ToolError. */
export async function locateTarget(folder: string, wanted: string): Promise<WriteTarget> {
  const root = await openRoot(folder);
  const named = resolveBelow(root, wanted);
  if (named === root || /[\\/]$/.test(wanted))
    throw new ToolError("tool-failed", `"${wanted}" names a folder; name a file in it.`);
  refuseProtected(root, named, wanted);
  const there = await realpath(named).catch(() => undefined);
  if (there === undefined)
    return { root, file: await makePlace(root, named, wanted), mode: undefined };
  if (!isInside(root, there)) throw outside(wanted);
  refuseProtected(root, there, wanted);
  const facts = await lstat(there);
  if (!facts.isFile())
    throw new ToolError("tool-failed", `"${wanted}" is not a regular file; it is not written.`);
  return { root, file: there, mode: facts.mode & 0o777 };
}

/** Makes sure that the folder of a file is still where it was found, right before the file is put there. */
export async function confirmPlace({ root, file }: WriteTarget, wanted: string): Promise<void> {
  const folder = dirname(file);
  const there = await realpath(folder).catch(() => undefined);
  if (there !== folder || !isInside(root, there)) throw outside(wanted);
}

async function makePlace(root: string, named: string, wanted: string): Promise<string> {
  // A link that leads nowhere would be written through to wherever it points.
  const link = await lstat(named).catch(() => undefined);
  if (link !== undefined)
    throw new ToolError(
      "tool-failed",
      `"${wanted}" is a link that leads nowhere; it is not written.`,
    );
  let existing = dirname(named);
  let real: string | undefined;
  for (;;) {
    real = await realpath(existing).catch(() => undefined);
    if (real !== undefined || existing === root || (await isThere(existing))) break;
    existing = dirname(existing);
  }
  if (real === undefined || !isInside(root, real)) throw outside(wanted);
  const folder = join(real, relative(existing, dirname(named)));
  refuseProtected(root, join(folder, basename(named)), wanted);
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new ToolError(
      "tool-failed",
      `The folder of "${wanted}" can't be made; one of the names before it is a file, or it may not be written.`,
      { cause },
    );
  });
  return join(folder, basename(named));
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function refuseProtected(root: string, target: string, wanted: string): void {
  const names = relative(root, target).split(sep);
  const kept = names.find((name) => /^(?:\.git|node_modules)$/i.test(name));
  if (kept !== undefined)
    throw new ToolError("tool-failed", `"${wanted}" lies in ${kept}, which is never written.`);
  if (isSecretFile(target))
    throw new ToolError(
      "tool-failed",
      `"${wanted}" holds secrets of the environment and is never written.`,
    );
}
