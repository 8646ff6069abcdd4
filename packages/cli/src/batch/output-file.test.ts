import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFiles } from "../../test/temp-files.ts";
import type { BatchRecord } from "./batch-record.ts";
import { OutputFile, readOutput, unwritable } from "./output-file.ts";

const record = (row: number): BatchRecord => ({
  row,
  runId: `run-${row}`,
  outcome: "done",
  text: "line 1\nline 2 \u2028 你好",
  solvable: true,
  verified: "none",
  spending: {
    modelCalls: 1,
    toolCalls: 0,
    usd: 0,
    usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, reasoning: 0 },
  },
  durationMs: 1,
  input: {},
});

const lineOf = (row: number): string => `${JSON.stringify(record(row))}\n`;

async function resumed(path: string) {
  const rows: number[] = [];
  const found = await readOutput(path, ({ row }) => rows.push(row));
  return { rows, found };
}

test("is made with its folder, and goes on where it ended", async () => {
  const path = join(tempFiles(), "deep", "out.jsonl");
  for (const row of [1, 2]) {
    const output = new OutputFile(path, (await resumed(path)).found);
    output.append(record(row), 0);
    output.close();
  }
  expect(readFileSync(path, "utf8")).toBe(lineOf(1) + lineOf(2));
  expect((await resumed(path)).rows).toEqual([1, 2]);
});

test("a last line cut anywhere is cut off, and nothing else", async () => {
  const path = join(tempFiles(), "out.jsonl");
  const bytes = Buffer.from(lineOf(2));
  for (let cut = 1; cut < bytes.length - 1; cut += 11) {
    writeFileSync(path, lineOf(1));
    appendFileSync(path, bytes.subarray(0, cut));
    const { rows, found } = await resumed(path);
    expect(rows).toEqual([1]);
    new OutputFile(path, found).close();
    expect(readFileSync(path, "utf8")).toBe(lineOf(1));
  }
});

test("a last line that lacks its line break alone is kept", async () => {
  const path = join(tempFiles(), "out.jsonl");
  writeFileSync(path, lineOf(1).trimEnd());
  const { rows, found } = await resumed(path);
  expect(rows).toEqual([1]);
  const output = new OutputFile(path, found);
  output.append(record(2), 0);
  output.close();
  expect(readFileSync(path, "utf8")).toBe(lineOf(1) + lineOf(2));
});

test("a broken line amid others is told and kept", async () => {
  const path = join(tempFiles(), "out.jsonl");
  writeFileSync(path, `${lineOf(1)}{"row":2,"out\n${lineOf(3)}`);
  const { rows, found } = await resumed(path);
  expect({ rows, broken: found.broken }).toEqual({ rows: [1, 3], broken: [2] });
});

test.each([
  ["EEXIST", /^a\/b can't be written: a part of its path is a file, not a folder; give/u],
  ["EISDIR", /^a\/b is a folder, not a file; give/u],
  ["ENOSPC", /^a\/b can't be written: the disk is full; give/u],
])("a file that can't be written is told in words: %s", (code, message) => {
  expect(unwritable("a/b", Object.assign(new Error(`${code}: open`), { code })).message).toMatch(
    message,
  );
});
