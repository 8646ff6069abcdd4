import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DeadLetter } from "@loopwright/core";
import type { BatchRecord } from "../src/batch/batch-record.ts";
import { tempFiles } from "./temp-files.ts";

const SPEC = `apiVersion: loopwright/v1
name: comments
inputs: { comment: string, stars: integer? }
task: { text: "Judge: {{ inputs.comment }}" }
model: { use: scripted/comments, file: replies.yaml, price: { input: 1, output: 1 } }
strategy: direct
output:
  fields: { sentiment: [good, bad] }
overlays:
  other: { task: { text: "Judge again: {{ inputs.comment }}" } }
`;

const REPLIES = `replies:
  - { includes: [mute], excludes: [Judge again], text: "no", times: always }
  - { includes: [odd], json: { sentiment: fine } }
  - { includes: [fenced], text: "\`\`\`json\\n{\\"sentiment\\":\\"bad\\"}\\n\`\`\`" }
  - { includes: [slow], json: { sentiment: good }, delayMs: 60000, times: always }
  - { includes: [paused], json: { sentiment: good }, delayMs: 300 }
  - { includes: [steady], json: { sentiment: good }, delayMs: 20, times: always }
  - { json: { sentiment: good }, times: always }
`;

/** A project with a scripted spec and some rows. */
export function batchFolder(rows: string): string {
  return tempFiles({ "spec.yaml": SPEC, "replies.yaml": REPLIES, "rows.csv": rows });
}

/** A project whose endpoint fails some rows, with a breaker that rests for some time. */
export function failingFolder(rows: string, rest: string): string {
  const folder = batchFolder(rows);
  const spec = join(folder, "spec.yaml");
  const calls = `retry: 1, breaker: { failures: 2, rest: ${rest} }, price`;
  writeFileSync(spec, readFileSync(spec, "utf8").replace("price", calls));
  writeFileSync(
    join(folder, "replies.yaml"),
    `replies:
  - { includes: [down], error: { code: provider-unavailable, message: it is down, retryable: true } }
  - { includes: [late], json: { sentiment: fine }, delayMs: 200 }
  - { json: { sentiment: good }, times: always }
`,
  );
  return folder;
}

/** Rows two of which fail, and two that are late: their second calls meet the breaker that the first two have opened. */
export function halfDown(count: number): string {
  return `comment\ndown\ndown\nlate\nlate\n${"fine\n".repeat(count - 4)}`;
}

/** What a file of JSON Lines holds; nothing where there is none. */
function linesOf(folder: string, name: string): readonly unknown[] {
  try {
    const text = readFileSync(join(folder, name), "utf8");
    return text.trim() === ""
      ? []
      : text
          .trim()
          .split("\n")
          .map((line): unknown => JSON.parse(line));
  } catch {
    return [];
  }
}

/** The lines of a batch's output. */
export function recordsIn(folder: string, name = "rows.csv.out.jsonl"): readonly BatchRecord[] {
  return linesOf(folder, name) as readonly BatchRecord[];
}

/** The lines of a batch's dead letters, resolved ones and their notes too. */
export function lettersIn(folder: string, name = "rows.csv.out.dead.jsonl"): readonly DeadLetter[] {
  return linesOf(folder, name) as readonly DeadLetter[];
}

/** The rows of an output, in order. */
export function rowsIn(folder: string, name?: string): readonly number[] {
  return recordsIn(folder, name)
    .map(({ row }) => row)
    .toSorted((a, b) => a - b);
}
