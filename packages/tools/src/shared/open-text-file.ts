import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { ToolError } from "@loopwright/core/plugin";
import { type ConfinedPath, diskFault, isInside, outside, refuseClosed } from "./confined-path.ts";

/** A regular file that is open for reading and lies inside its folder. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
}

/**
 * Opens a regular file for reading; the caller closes it. Folders, pipes, devices and files with secrets are a ToolError.
 * What was opened is compared with what lies at the path afterwards, so that a link put there in between leads nowhere.
 */
export async function openTextFile({ root, target, wanted }: ConfinedPath): Promise<OpenFile> {
  refuseClosed({ root, target, wanted });
  refuseOdd(await lstat(target), wanted);
  // Without O_NONBLOCK a pipe that takes the file's place would hold the call for ever.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(target, flags).catch((cause: unknown) => {
    throw new ToolError("tool-failed", `"${wanted}" can't be opened: ${diskFault(cause)}.`, {
      cause,
    });
  });
  try {
    const facts = await handle.stat();
    refuseOdd(facts, wanted);
    const place = await realpath(target);
    const there = await lstat(place);
    if (!isInside(root, place) || there.ino !== facts.ino || there.dev !== facts.dev)
      throw outside(wanted);
    refuseClosed({ root, target: place, wanted });
    return { handle, size: facts.size };
  } catch (fault) {
    await handle.close();
    throw fault;
  }
}

function refuseOdd(facts: { isDirectory(): boolean; isFile(): boolean }, wanted: string): void {
  if (facts.isDirectory())
    throw new ToolError("tool-failed", `"${wanted}" is a folder; name a file in it.`);
  if (!facts.isFile())
    throw new ToolError("tool-failed", `"${wanted}" is not a regular file; it is not read.`);
}
