import { existsSync } from "node:fs";
import { join } from "node:path";
import { readDeadLetters } from "@loopwright/core";
import { expect, test } from "vitest";
import {
  batchFolder,
  failingFolder,
  halfDown,
  lettersIn,
  recordsIn,
  rowsIn,
} from "./batch-files.ts";
import { spawnCommand } from "./spawn-command.ts";

const COUNT = 40;
const STEADY = `comment\n${"steady\n".repeat(COUNT)}`;
const all = Array.from({ length: COUNT }, (_, index) => index + 1);
const ARGS = ["batch", "spec.yaml", "--from", "rows.csv", "--parallel", "3", "--quiet"];

/** Calls back once, as soon as so many rows are written. */
async function whenWritten(cwd: string, count: number, act: () => void): Promise<void> {
  for (let tries = 0; tries < 10_000; tries++) {
    if (rowsIn(cwd).length >= count) return act();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("after kill -9 in the middle, twice, every row is in the output exactly once", async () => {
  const cwd = batchFolder(STEADY);
  for (const count of [5, 15]) {
    const { code } = await spawnCommand(ARGS, {
      cwd,
      onSpawn: (child) => void whenWritten(cwd, count, () => child.kill("SIGKILL")),
    });
    expect(code).toBeNull();
    expect(rowsIn(cwd).length).toBeLessThan(COUNT);
  }
  expect(existsSync(`${cwd}/rows.csv.out.jsonl.lock`)).toBe(true);
  const { code, stdout } = await spawnCommand(ARGS, { cwd });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(`${COUNT} rows: ${COUNT} with a value`),
  });
  expect(rowsIn(cwd)).toEqual(all);
  expect(recordsIn(cwd).every(({ value }) => value !== null)).toBe(true);
}, 120_000);

test("Ctrl-C begins no further row, aborts those under way, and tells how to go on", async () => {
  const cwd = batchFolder("comment\nfine\nslow\nslow\nfine\n");
  const { code, stdout } = await spawnCommand([...ARGS, "--parallel", "2"], {
    cwd,
    onSpawn: (child) => void whenWritten(cwd, 1, () => child.kill("SIGINT")),
  });
  expect(code).toBe(130);
  expect(stdout).toContain("1 with a value, 3 still to run");
  expect(stdout).toContain("the same command goes on where it stopped");
  expect(rowsIn(cwd)).toEqual([1]);
  expect(existsSync(`${cwd}/rows.csv.out.dead.jsonl`)).toBe(false);
  expect(existsSync(`${cwd}/rows.csv.out.jsonl.lock`)).toBe(false);
}, 120_000);

test("what aborted rows took stays spent, also against --model-calls", async () => {
  const cwd = batchFolder("comment\nfine\nslow\nslow\nfine\n");
  const args = [...ARGS, "--parallel", "2", "--json"];
  const stopped = await spawnCommand(args, {
    cwd,
    onSpawn: (child) => void whenWritten(cwd, 1, () => setTimeout(() => child.kill("SIGINT"), 300)),
  });
  expect(stopped.code).toBe(130);
  const { spending } = JSON.parse(stopped.stdout) as { spending: { modelCalls: number } };
  expect(spending.modelCalls).toBe(3);
  const { code, stdout } = await spawnCommand([...args, "--model-calls", "3"], { cwd });
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ rows: { values: 1, open: 3 }, spending });
}, 120_000);

test("two batches into one output: the second is refused", async () => {
  const cwd = batchFolder("comment\nfine\nslow\n");
  let second: Promise<{ code: number | null; stderr: string }> | undefined;
  const first = spawnCommand(ARGS, {
    cwd,
    onSpawn: (child) =>
      void whenWritten(cwd, 1, () => {
        second = spawnCommand(ARGS, { cwd }).finally(() => child.kill("SIGINT"));
      }),
  });
  expect(await first).toMatchObject({ code: 130 });
  expect(await second).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is being written by process"),
  });
}, 120_000);

test("Ctrl-C ends the wait, and the rows that wait stay open", async () => {
  const folder = failingFolder(halfDown(COUNT), "10m");
  const { code, stdout } = await spawnCommand([...ARGS, "--parallel", "4", "--json"], {
    cwd: folder,
    onSpawn: (child) => {
      const timer = setInterval(() => {
        if (lettersIn(folder).length < 2) return;
        clearInterval(timer);
        setTimeout(() => child.kill("SIGINT"), 200);
      }, 20);
    },
  });
  expect(code).toBe(130);
  const { rows } = JSON.parse(stdout) as { rows: { failed: number; open: number } };
  expect(rows.failed).toBe(2);
  expect(rows.open).toBeGreaterThanOrEqual(2);
  const { open } = await readDeadLetters(join(folder, "rows.csv.out.dead.jsonl"));
  expect(open).toHaveLength(2);
}, 120_000);
