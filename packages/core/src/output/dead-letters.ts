import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { DeadLetter } from "../contracts/dead-letter.ts";
import type { Json, JsonSchema } from "../contracts/json.ts";
import { messageOf } from "../errors/loopwright-error.ts";
import { misfits } from "../validation/json-validator.ts";
import { describeMisfits } from "../validation/misfit-words.ts";

/** What a file of dead letters holds. */
export interface DeadLetters {
  /** Those that nothing has resolved, in the order of the file. */
  readonly open: readonly DeadLetter[];
  /** How many were resolved. */
  readonly resolved: number;
  /** Lines that can't be read, such as one that a killed process left unfinished; `line` counts from 1. */
  readonly broken: readonly { readonly line: number; readonly message: string }[];
}

/** Appends a letter to a file, whose folder is made; rejects where the file can't be written. */
export function appendDeadLetter(file: string, letter: DeadLetter): Promise<void> {
  return appendLine(file, letter);
}

/** Notes that a later run has given the answer that a letter lacks; the letter stays in the file and is open no more. */
export function resolveDeadLetter(
  file: string,
  id: string,
  runId: string,
  time: number,
): Promise<void> {
  return appendLine(file, { v: 1, kind: "resolved", id, runId, time });
}

/** How much of a file tells what it is. */
const HEAD_BYTES = 65_536;
const HEAD_LINES = 5;

/**
 * Whether a file may take dead letters: it does not exist, holds nothing, or one of its first lines is a letter or the
 * start of one.
 */
export async function isLetterFile(file: string): Promise<boolean> {
  const handle = await openExisting(file);
  if (handle === undefined) return true;
  try {
    return await holdsLetters(handle);
  } finally {
    await handle.close();
  }
}

async function holdsLetters(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.toString("utf8", 0, bytesRead);
  if (starts.some((start) => start.startsWith(head.trim()))) return true;
  const lines = head.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(0, HEAD_LINES).some(isLetterStart);
}

/** How lines begin that are written here. */
const starts = ["dead-letter", "resolved"].map((kind) => `{"v":1,"kind":"${kind}","id":`);

/** A line that was cut, by a kill or because it is long, can't be read as JSON. */
function isLetterStart(line: string): boolean {
  if (starts.some((start) => line.startsWith(start))) return true;
  try {
    const { v, kind } = JSON.parse(line) as { readonly v?: Json; readonly kind?: Json };
    return v === 1 && typeof kind === "string" && entrySchemas.has(kind);
  } catch {
    return false;
  }
}

/** Reads a file of dead letters; one that does not exist holds none, and a line that can't be read hides no other. */
export async function readDeadLetters(file: string): Promise<DeadLetters> {
  const letters = new Map<string, DeadLetter>();
  const broken: { line: number; message: string }[] = [];
  let resolved = 0;
  let line = 0;
  const handle = await openExisting(file);
  if (handle === undefined) return { open: [], resolved, broken };
  try {
    for await (const text of linesOf(handle)) {
      line += 1;
      if (text.trim() === "") continue;
      const entry = readEntry(text);
      if (typeof entry === "string") broken.push({ line, message: entry });
      else if (entry.kind === "dead-letter") letters.set(entry.id, entry);
      else if (letters.delete(entry.id)) resolved += 1;
    }
  } finally {
    await handle.close();
  }
  return { open: [...letters.values()], resolved, broken };
}

/** Lines as they were written: other readers also cut at separators that stand inside JSON texts. */
async function* linesOf(handle: FileHandle): AsyncGenerator<string> {
  let pieces: string[] = [];
  const chunks = handle.createReadStream({ encoding: "utf8", autoClose: false });
  for await (const chunk of chunks as AsyncIterable<string>) {
    const [first = "", ...others] = chunk.split("\n");
    pieces.push(first);
    if (others.length === 0) continue;
    yield pieces.join("");
    pieces = [others.pop() ?? ""];
    yield* others;
  }
  yield pieces.join("");
}

interface Resolution {
  readonly v: 1;
  readonly kind: "resolved";
  readonly id: string;
  readonly runId: string;
  readonly time: number;
}

const text: JsonSchema = { type: "string" };
const usage: JsonSchema = { type: "object" };

function entrySchema(
  kind: string,
  needed: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  const all = { v: { const: 1 }, kind: { const: kind }, id: text, time: { type: "number" } };
  const known = { ...all, ...needed };
  return {
    type: "object",
    properties: { ...known, ...optional },
    required: Object.keys(known),
  };
}

const entrySchemas: ReadonlyMap<string, JsonSchema> = new Map([
  [
    "dead-letter",
    entrySchema(
      "dead-letter",
      {
        spec: text,
        file: text,
        programHash: text,
        outcome: text,
        code: text,
        message: text,
        input: {
          type: "object",
          properties: { task: text, inputs: { type: "object" } },
          required: ["inputs"],
        },
        attempts: {
          type: "array",
          items: {
            type: "object",
            properties: {
              stage: text,
              key: text,
              model: text,
              text,
              reasoning: text,
              code: text,
              message: text,
            },
            required: ["stage", "key", "model", "text", "code", "message"],
          },
        },
        schemaHash: text,
        usage,
        usd: { type: "number" },
      },
      { modelCalls: { type: "integer", minimum: 0 } },
    ),
  ],
  ["resolved", entrySchema("resolved", { runId: text })],
]);

/** One line as what it says, or why it says nothing. */
function readEntry(line: string): DeadLetter | Resolution | string {
  let value: Json;
  try {
    value = JSON.parse(line) as Json;
  } catch (fault) {
    return `is not whole JSON: ${messageOf(fault)}`;
  }
  const kind = (value as { readonly kind?: Json } | null)?.kind;
  const schema = typeof kind === "string" ? entrySchemas.get(kind) : undefined;
  if (schema === undefined) return "is neither a dead letter nor the note of one that is resolved";
  const list = misfits(value, schema);
  if (list.length > 0) return `is no whole note of this kind: ${describeMisfits(list)}`;
  return value as unknown as DeadLetter | Resolution;
}

async function openExisting(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, "r");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw fault;
  }
}

/** By file: what this process writes there waits for what it wrote before. */
const writing = new Map<string, Promise<void>>();

async function appendLine(file: string, entry: DeadLetter | Resolution): Promise<void> {
  const before = writing.get(file) ?? Promise.resolve();
  const own = before.then(() => writeLine(file, `${JSON.stringify(entry)}\n`));
  const settled = own.catch(() => undefined);
  writing.set(file, settled);
  try {
    await own;
  } finally {
    if (writing.get(file) === settled) writing.delete(file);
  }
}

/** A line that a killed process left unfinished is closed first, so that it spoils no other. */
async function writeLine(file: string, line: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(file, "a+");
    try {
      const { size } = await handle.stat();
      if (size > 0 && !(await holdsLetters(handle)))
        throw new Error(`${file} is no file of dead letters and stays as it is; name another file`);
      const isTorn =
        size > 0 && (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] !== 10;
      await handle.appendFile(isTorn ? `\n${line}` : line);
    } finally {
      await handle.close();
    }
  } catch (fault) {
    throw inWords(file, fault);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: "is a folder, not a file",
  EEXIST: "can't be written: a part of its path is a file, not a folder",
  ENOTDIR: "can't be written: a part of its path is a file, not a folder",
  EACCES: "may not be written (no permission)",
  EPERM: "may not be written (no permission)",
  EROFS: "may not be written (the disk is read-only)",
  ENOSPC: "can't be written: the disk is full",
  ENAMETOOLONG: "can't be written: its name is too long",
};

/** A fault of the file system in plain words; its code stays. */
function inWords(file: string, fault: unknown): unknown {
  const { code } = fault as NodeJS.ErrnoException;
  if (code === undefined) return fault;
  const message = `${file} ${reasons[code] ?? `can't be written (${code})`}`;
  return Object.assign(new Error(message, { cause: fault }), { code });
}
