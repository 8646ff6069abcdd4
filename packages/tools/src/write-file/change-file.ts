import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "@loopwright/core/plugin";
import { diskFault } from "../shared/confined-path.ts";
import { openTextFile } from "../shared/open-text-file.ts";
import { confirmPlace, locateTarget, type WriteTarget } from "./locate-target.ts";
import { replacePassage } from "./replace-passage.ts";

/** One change of one file. */
export interface FileChange {
  readonly folder: string;
  readonly wanted: string;
  readonly change: { readonly content: string } | { readonly old: string; readonly new: string };
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Changes a file wholly or not at all, and says what changed. */
export async function changeFile(asked: FileChange): Promise<string> {
  const { folder, wanted, change, maxBytes, signal } = asked;
  signal.throwIfAborted();
  if ("content" in change) refuseHuge(change.content, asked);
  const target = await locateTarget(folder, wanted);
  if ("content" in change) {
    const before = target.mode === undefined ? undefined : await readOrSkip(target, asked);
    if (before?.text === change.content) return `Nothing changed: ${wanted} holds just that.`;
    await put(target, change.content, asked);
    const now = sizeOf(change.content);
    return before === undefined
      ? `Created ${wanted}: ${now}.`
      : `Replaced ${wanted}: ${before.size} before, ${now} now.`;
  }
  if (target.mode === undefined)
    throw new ToolError("tool-failed", `There is no file "${wanted}" to replace a passage in.`);
  const before = await readText(target, wanted, maxBytes);
  const { text, firstLine, lastLine } = replacePassage(before, change, wanted);
  if (text === before) return `Nothing changed: the passage of ${wanted} reads just that.`;
  refuseHuge(text, asked);
  await put(target, text, asked);
  const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`;
  return `Changed ${lines} of ${wanted}: ${sizeOf(before)} before, ${sizeOf(text)} now.`;
}

/** Writes beside the file and renames, so that nobody ever reads a half. */
async function put(
  target: WriteTarget,
  text: string,
  { wanted, signal }: FileChange,
): Promise<void> {
  const { file, mode } = target;
  const beside = join(dirname(file), `.${randomUUID()}.part`);
  try {
    await confirmPlace(target, wanted);
    const handle = await open(beside, "wx", mode ?? 0o666);
    try {
      await handle.writeFile(text, "utf8");
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await confirmPlace(target, wanted);
    signal.throwIfAborted();
    await rename(beside, file);
  } catch (cause) {
    await rm(beside, { force: true }).catch(() => undefined);
    signal.throwIfAborted();
    if (cause instanceof ToolError) throw cause;
    throw new ToolError("tool-failed", `"${wanted}" can't be written: ${diskFault(cause)}.`, {
      cause,
    });
  }
}

/** What a file holds before it is replaced as a whole; of a huge or binary one its size alone. */
async function readOrSkip(
  target: WriteTarget,
  { wanted, maxBytes }: FileChange,
): Promise<{ readonly text: string | undefined; readonly size: string }> {
  const { handle, size } = await openTextFile({ root: target.root, target: target.file, wanted });
  try {
    if (size > maxBytes) return { text: undefined, size: `${size} bytes` };
    const text = await handle.readFile("utf8");
    return { text, size: sizeOf(text) };
  } finally {
    await handle.close();
  }
}

async function readText(target: WriteTarget, wanted: string, maxBytes: number): Promise<string> {
  const { handle, size } = await openTextFile({ root: target.root, target: target.file, wanted });
  try {
    if (size > maxBytes) throw tooLong(wanted, size, maxBytes);
    // A byte-order mark stays in the text, and so in the file.
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decoder.decode(await handle.readFile());
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ToolError(
      "tool-failed",
      `"${wanted}" is not UTF-8 text; no passage of it can be replaced.`,
      { cause },
    );
  } finally {
    await handle.close();
  }
}

function refuseHuge(text: string, { wanted, maxBytes }: FileChange): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) throw tooLong(wanted, bytes, maxBytes);
}

function tooLong(wanted: string, bytes: number, maxBytes: number): ToolError {
  return new ToolError(
    "tool-failed",
    `"${wanted}" has ${bytes} bytes; files of more than ${maxBytes} bytes are not written.`,
  );
}

function sizeOf(text: string): string {
  const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  const bytes = Buffer.byteLength(text);
  return `${lines} ${lines === 1 ? "line" : "lines"}, ${bytes} bytes`;
}
