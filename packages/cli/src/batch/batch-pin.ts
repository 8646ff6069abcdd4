import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { inFigures } from "@loopwright/core";
import { CommandError } from "../command-error.ts";
import { writeTextFile } from "../write-file.ts";

/** What a batch was begun with, in a file beside its output. */
export interface BatchPin {
  readonly v: 1;
  readonly kind: "batch";
  readonly spec: string;
  readonly programHash: string;
  readonly from: { readonly path: string; readonly size: number; readonly head: string };
  readonly deadLetters: string;
  /** How a row becomes a run beside the spec. */
  readonly task?: string;
  readonly delimiter?: string;
}

const HEAD_BYTES = 1024 * 1024;

/** What tells one source from another without reading all of it: its size and its first megabyte. */
export async function fingerprint(path: string): Promise<Pick<BatchPin["from"], "size" | "head">> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = createHash("sha256").update(buffer.subarray(0, bytesRead)).digest("hex");
    return { size, head };
  } finally {
    await handle.close();
  }
}

/** The file that pins an output. */
function pinFile(to: string): string {
  return `${to}.batch.json`;
}

/** How a call treats what an earlier one left. */
export type Resumption = "strict" | "anyway" | "restart";

/** Compares a batch with what its output was begun with, and pins it; throws where they differ. Returns whether it goes on. */
export function pinBatch(to: string, pin: BatchPin, resumption: Resumption): boolean {
  const file = pinFile(to);
  if (resumption === "restart") rmSync(to, { force: true });
  const before = resumption === "restart" ? undefined : readPin(file);
  const isThere = existsSync(to) && statSync(to).size > 0;
  if (resumption === "strict") {
    if (before === undefined && isThere) throw refusal(to, ["nothing tells what batch wrote it"]);
    const changes = before === undefined ? [] : changesOf(before, pin);
    if (changes.length > 0) throw refusal(to, changes);
  }
  const next = `${file}.next`;
  writeTextFile(next, `${JSON.stringify(pin, null, 2)}\n`);
  renameSync(next, file);
  return before !== undefined;
}

function refusal(to: string, changes: readonly string[]): CommandError {
  return new CommandError(
    `${to} was begun otherwise: ${changes.join("; ")}. --restart begins again and drops its rows, --anyway goes on with them, or name another --to`,
    { code: "batch-changed", details: { changes } },
  );
}

/** What `--to` was begun with; undefined where nothing is there, or nothing that can be read. */
function readPin(file: string): BatchPin | undefined {
  try {
    const pin = JSON.parse(readFileSync(file, "utf8")) as Partial<BatchPin> | null;
    return pin?.kind === "batch" && typeof pin.from?.head === "string"
      ? (pin as BatchPin)
      : undefined;
  } catch {
    return undefined;
  }
}

function changesOf(before: BatchPin, now: BatchPin): readonly string[] {
  const said: string[] = [];
  const tell = (isChanged: boolean, what: string): void => {
    if (isChanged) said.push(what);
  };
  tell(before.spec !== now.spec, `the spec was ${before.spec} and is ${now.spec}`);
  tell(
    before.spec === now.spec && before.programHash !== now.programHash,
    "the spec, its models or what is set over it changed",
  );
  tell(
    before.from.path !== now.from.path,
    `--from was ${before.from.path} and is ${now.from.path}`,
  );
  const sizes = `${inFigures(before.from.size)} to ${inFigures(now.from.size)} bytes`;
  if (before.from.size !== now.from.size) said.push(`the rows' file went from ${sizes}`);
  else tell(before.from.head !== now.from.head, "the rows' file has another content");
  tell(before.task !== now.task, "--task changed");
  tell(before.delimiter !== now.delimiter, "--delimiter changed");
  const letters = `the dead letters went to ${before.deadLetters} and now go to ${now.deadLetters}`;
  tell(before.deadLetters !== now.deadLetters, letters);
  return said;
}
