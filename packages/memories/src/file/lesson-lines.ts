import { readFile } from "node:fs/promises";
import type { Lesson } from "@loopwright/core/plugin";
import { hasCode } from "./error-code.ts";

/** One line of a lesson file: a lesson, or bytes that are none and are kept as they are. */
export type Line =
  | { readonly bytes: Buffer; readonly lesson: Lesson }
  | { readonly bytes: Buffer; readonly lesson: undefined };

const NEWLINE = 0x0a;
/** How many lines are told by their numbers. */
const MAX_NUMBERS = 10;
const BYTE_ORDER_MARK = "\uFEFF";
const TEXT_FIELDS = [
  "id",
  "trigger",
  "failurePattern",
  "lesson",
  "avoid",
  "source",
  "time",
  "scope",
];

/** Reads a lesson file; a missing one is empty, blank lines are left out. */
export async function readLines(path: string): Promise<readonly Line[]> {
  return linesOf(await readBytes(path)).filter((line) => !isBlank(line));
}

/** The numbers, from 1, of the lines in a lesson file that hold no lesson: recall leaves them out, rewrites keep them. */
export async function findUnreadableLines(path: string): Promise<readonly number[]> {
  return linesOf(await readBytes(path))
    .map((line, index) => (line.lesson === undefined && !isBlank(line) ? index + 1 : 0))
    .filter((number) => number > 0);
}

/** What the lines of a lesson file that hold no lesson come to, in words; nothing where all do. */
export async function tellUnreadableLines(path: string): Promise<readonly string[]> {
  const numbers = await findUnreadableLines(path);
  if (numbers.length === 0) return [];
  const [noun, verb] = numbers.length === 1 ? ["line", "is"] : ["lines", "are"];
  const more = numbers.length - MAX_NUMBERS;
  const named = numbers.slice(0, MAX_NUMBERS).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return [`${numbers.length} ${noun} of ${path} can't be read and ${verb} kept: ${noun} ${named}`];
}

/** A lesson as one line, without its end. */
export function toLine(lesson: Lesson): Line {
  return { bytes: Buffer.from(JSON.stringify(lesson)), lesson };
}

/** The lessons among lines. */
export function lessonsIn(lines: readonly Line[]): readonly Lesson[] {
  return lines.flatMap((line) => line.lesson ?? []);
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return Buffer.alloc(0);
    throw error;
  }
}

function linesOf(bytes: Buffer): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    lines.push({ bytes: line, lesson: lessonOf(line) });
    start = end + 1;
  }
  return lines;
}

function lessonOf(bytes: Buffer): Lesson | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
    return isLesson(value) ? value : undefined;
  } catch {
    // Not a line of ours: kept, and found by `findUnreadableLines`.
    return undefined;
  }
}

function isLesson(value: unknown): value is Lesson {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const uses = fields.get("uses");
  const expires = fields.get("expires");
  return (
    TEXT_FIELDS.every((field) => typeof fields.get(field) === "string") &&
    typeof uses === "number" &&
    Number.isFinite(uses) &&
    (expires === undefined || typeof expires === "string")
  );
}

function isBlank(line: Line): boolean {
  return line.lesson === undefined && line.bytes.every((byte) => byte <= 0x20);
}
