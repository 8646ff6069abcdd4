import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { inFigures } from "@loopwright/core";
import { CommandError } from "../command-error.ts";
import { writeTextFile } from "../write-file.ts";
import { readRecord } from "./batch-record.ts";

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
  /** True where no tool with an effect was called. */
  readonly dryRun?: true;
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

/** What differs from what an output was begun with. */
export interface PinChanges {
  readonly said: readonly string[];
  /** True where the rows' file alone has another content. */
  readonly isSourceAlone: boolean;
  /** True where no earlier call left anything. */
  readonly isFirst: boolean;
}

/** Compares a batch with what its output was begun with; throws where no batch wrote what stands there. */
export function comparePin(to: string, pin: BatchPin, resumption: Resumption): PinChanges {
  const before = readPin(to);
  if (before !== undefined) return changesOf(before, pin);
  const isThere = existsSync(to) && statSync(to).size > 0;
  // Only what was read as rows of a batch may be gone on with.
  const isOurs = isThere && readRecord(firstLine(to)) !== undefined;
  if (!isThere || (resumption === "anyway" && isOurs))
    return { said: [], isSourceAlone: false, isFirst: !isThere };
  const cure = isOurs ? ", give --anyway to go on with its rows" : "";
  throw new CommandError(
    `${to} is not empty, and nothing tells what batch wrote it: there is no readable ${pinFile(to)}; name another --to${cure}, or delete the file yourself`,
    { code: "batch-changed", details: { changes: ["nothing tells what batch wrote it"] } },
  );
}

/** Pins what an output is begun with. */
export function writePin(to: string, pin: BatchPin): void {
  const next = `${pinFile(to)}.next`;
  writeTextFile(next, `${JSON.stringify(pin, null, 2)}\n`);
  renameSync(next, pinFile(to));
}

/** That a batch would go on with something else than it was begun with. */
export function refusal(to: string, { said, isSourceAlone }: PinChanges): CommandError {
  const retry = isSourceAlone
    ? "--retry-failed runs the rows without a value from the changed file, "
    : "";
  return new CommandError(
    `${to} was begun otherwise: ${said.join("; ")}. ${retry}--restart begins again and drops its rows, --anyway goes on with them, or name another --to`,
    { code: "batch-changed", details: { changes: said } },
  );
}

function firstLine(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    const head = bytes.toString("utf8", 0, readSync(file, bytes, 0, HEAD_BYTES, 0));
    return head.trimStart().split("\n", 1)[0] ?? "";
  } finally {
    closeSync(file);
  }
}

/** What `--to` was begun with; undefined where nothing is there, or nothing that can be read. */
export function readPin(to: string): BatchPin | undefined {
  try {
    const pin = JSON.parse(readFileSync(pinFile(to), "utf8")) as Partial<BatchPin> | null;
    return pin?.kind === "batch" && typeof pin.from?.head === "string"
      ? (pin as BatchPin)
      : undefined;
  } catch {
    return undefined;
  }
}

function changesOf(before: BatchPin, now: BatchPin): PinChanges {
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
  const others = said.length;
  const sizes = `${inFigures(before.from.size)} to ${inFigures(now.from.size)} bytes`;
  if (before.from.size !== now.from.size) said.push(`the rows' file went from ${sizes}`);
  else tell(before.from.head !== now.from.head, "the rows' file has another content");
  const isSourceChanged = said.length > others;
  tell(before.task !== now.task, "--task changed");
  tell(before.delimiter !== now.delimiter, "--delimiter changed");
  const letters = `the dead letters went to ${before.deadLetters} and now go to ${now.deadLetters}`;
  tell(before.deadLetters !== now.deadLetters, letters);
  const dry = now.dryRun ? "--dry-run was not given and is now" : "it was a --dry-run and is none";
  tell(before.dryRun !== now.dryRun, dry);
  return { said, isSourceAlone: isSourceChanged && said.length === 1, isFirst: false };
}
