import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { type Clock, onAborted, ToolError } from "@loopwright/core/plugin";
import { atHostExit } from "../at-host-exit.ts";
import type { Bound, Parameters } from "./check-parameters.ts";
import { databaseProgram } from "./database-program.ts";
import { knownFunctions } from "./known-functions.ts";

/** How much longer than its time a process lives that nobody ends. */
const orphanMs = 5_000;
const maxComplaint = 4_000;

/** One statement for a database, and within what it is answered. */
export interface Question {
  readonly file: string;
  readonly sql: string;
  readonly identifiers: ReadonlySet<string>;
  readonly params: Parameters;
  readonly isWriting: boolean;
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly maxTimeMs: number;
}

/** What a statement gave; `left` counts the rows beyond the caps, of a query the first one; `wide` is how long the first row is where it alone is beyond them. */
export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Bound[])[];
  readonly left: number;
  readonly wide: number;
  readonly changes?: number;
  readonly lastInsertRowid?: number | string;
}

type Reply = Answer | { readonly fault: string; readonly code: string };
type Asking = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Runs one statement in a process of its own, killed on an abort and when its time is up: SQLite runs without a pause, and
 * what runs in a library without a pause, or crashes in it, can be ended with its process alone.
 */
export async function askDatabase(
  question: Question,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Answer> {
  signal.throwIfAborted();
  const child = start();
  const kill = (): void => {
    child.kill("SIGKILL");
  };
  const letGo = atHostExit(kill);
  child.once("close", letGo);
  let release = (): void => undefined;
  let stopTimer = (): void => undefined;
  const cutShort = new Promise<never>((_, reject) => {
    release = onAborted(signal, () => {
      kill();
      reject(signal.reason as Error);
    });
    stopTimer = clock.after(question.maxTimeMs, () => {
      kill();
      reject(overdue(question));
    });
  });
  try {
    return await Promise.race([cutShort, answerOf(child, question)]);
  } finally {
    release();
    stopTimer();
  }
}

function start(): Asking {
  const flags = ["--max-old-space-size=256", "--input-type=commonjs"];
  return spawn(process.execPath, [...flags, "--eval", databaseProgram], {
    env: { ELECTRON_RUN_AS_NODE: "1" },
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
}

function answerOf(
  child: Asking,
  { file, identifiers, maxTimeMs, ...rest }: Question,
): Promise<Answer> {
  const answer: Buffer[] = [];
  let complaint = "";
  child.stdout.on("data", (piece: Buffer) => answer.push(piece));
  child.stderr.on("data", (piece: Buffer) => {
    if (complaint.length < maxComplaint) complaint += piece.toString("utf8");
  });
  // A process that dies early leaves its input unread; its end tells why.
  child.stdin.on("error", () => undefined);
  const question = {
    ...rest,
    url: pathToFileURL(file).href,
    library: libraryPath(),
    identifiers: [...identifiers],
    knownFunctions,
    maxTimeMs: maxTimeMs + orphanMs,
  };
  child.stdin.end(JSON.stringify(question));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => {
      const reply = parse(Buffer.concat(answer).toString("utf8"));
      if (reply === undefined) reject(crash(complaint));
      else if ("fault" in reply) reject(refusal(reply));
      else resolve(reply);
    });
  });
}

function libraryPath(): string {
  return createRequire(import.meta.url).resolve("libsql");
}

function parse(text: string): Reply | undefined {
  try {
    return JSON.parse(text) as Reply;
  } catch {
    return undefined;
  }
}

function overdue({ maxTimeMs, isWriting }: Question): ToolError {
  const advice = isWriting
    ? "Look what is changed: all of it or nothing."
    : "Ask for less: a condition, a LIMIT, an end for a recursion.";
  const message = `The statement took longer than ${maxTimeMs / 1000} s and was stopped. ${advice}`;
  return new ToolError("tool-failed", message);
}

function refusal({ fault, code }: { readonly fault: string; readonly code: string }): ToolError {
  const hint = hints.find(([pattern]) => pattern.test(`${code} ${fault}`))?.[1] ?? "";
  const named = /^SQLITE_\w+$/.test(code) ? ` (${code})` : "";
  return new ToolError("tool-failed", `The database says: ${fault}${named}.${hint}`, {
    retryable: code.startsWith("SQLITE_BUSY"),
  });
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/no such (?:table|column)/, " SELECT name, sql FROM sqlite_schema tells what there is."],
  [/SQLITE_BUSY/, " Another process is writing; try again."],
  [/SQLITE_NOMEM/, " A value or a sort is too large; ask for less."],
  [/SQLITE_READONLY/, " Only queries are run here."],
];

function crash(complaint: string): ToolError {
  if (complaint.includes("Utf8Error")) {
    const message = "A text of the result is not UTF-8 and can't be shown; select hex() of it.";
    return new ToolError("tool-failed", message);
  }
  const line = complaint.split("\n").find((text) => /panicked|error/i.test(text)) ?? "no reason";
  const message = `The database process ended before it answered (${line.trim().slice(0, 200)}); ask for less, or in another way.`;
  return new ToolError("tool-failed", message);
}
