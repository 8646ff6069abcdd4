import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
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

test("a lock that is another's by now is left to it", () => {
  const to = join(tempFiles(), "out.jsonl");
  const release = lockOutput(to);
  const other = `${process.ppid} ${hostname()} 0\n`;
  writeFileSync(`${to}.lock`, other);
  release();
  expect(readFileSync(`${to}.lock`, "utf8")).toBe(other);
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

test("a lock is taken over though another process died while it took it", () => {
  const to = join(tempFiles(), "out.jsonl");
  writeFileSync(`${to}.lock`, `999999999 ${hostname()} 0\n`);
  writeFileSync(`${to}.lock.taking`, "");
  expect(() => lockOutput(to)).toThrow(/is being written/u);
  utimesSync(`${to}.lock.taking`, 1, 1);
  lockOutput(to)();
  expect(existsSync(`${to}.lock.taking`)).toBe(false);
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
