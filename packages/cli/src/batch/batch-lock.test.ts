import { existsSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFiles } from "../../test/temp-files.ts";
import { lockOutput } from "./batch-lock.ts";

test("an output is locked once, until it is released", () => {
  const to = join(tempFiles(), "out.jsonl");
  const release = lockOutput(to);
  expect(() => lockOutput(to)).toThrow(/is being written by process \d+/u);
  release();
  expect(existsSync(`${to}.lock`)).toBe(false);
  lockOutput(to)();
});

test.each([
  ["a process that is gone", `999999999 ${hostname()} 0\n`],
  ["a killed process whose number this one has", `${process.pid} ${hostname()} 0\n`],
  ["nobody that can be read", ""],
])("the lock of %s is taken over", (_who, text) => {
  const to = join(tempFiles(), "out.jsonl");
  writeFileSync(`${to}.lock`, text);
  utimesSync(`${to}.lock`, 1, 1);
  lockOutput(to)();
  expect(existsSync(`${to}.lock`)).toBe(false);
});

test.each([
  ["a process that lives", `${process.ppid} ${hostname()} 0\n`],
  ["another machine", "1 elsewhere.example 0\n"],
  ["a process that is about to write it", ""],
])("the lock of %s is left alone", (_who, text) => {
  const to = join(tempFiles(), "out.jsonl");
  writeFileSync(`${to}.lock`, text);
  expect(() => lockOutput(to)).toThrow(/delete .*\.lock/u);
  expect(existsSync(`${to}.lock`)).toBe(true);
});
