import { getEventListeners } from "node:events";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDeadLetters } from "@loopwright/core";
import { expect, test } from "vitest";
import { batchFolder, lettersIn, recordsIn } from "../../test/batch-files.ts";
import { runInProcess } from "../../test/run-in-process.ts";
import { tempFiles } from "../../test/temp-files.ts";
import { openApp } from "../open-app.ts";
import { retryLetters } from "./retry-letters.ts";
import { RetryOutputs } from "./retry-outputs.ts";
import { SILENT_TERMINAL } from "./silent-terminal.ts";

const CURE = /; mend .*rows\.csv, then `loopwright batch … --retry-failed`/u;

async function begun(rows: string): Promise<{ readonly folder: string; readonly file: string }> {
  const folder = batchFolder(rows);
  await runInProcess("batch", join(folder, "spec.yaml"), "--from", join(folder, "rows.csv"));
  return { folder, file: join(folder, "rows.csv.out.dead.jsonl") };
}

const retryAll = async (file: string) => {
  const { code, stdout } = await runInProcess("dead-letters", "retry", "--all", file, "--json");
  const { retried } = JSON.parse(stdout) as { retried: { message?: string }[] };
  return { code, messages: retried.map(({ message = "" }) => message) };
};

test("inputs of a CSV file are read as its batch reads them", async () => {
  const { folder, file } = await begun("comment,stars\nfine,9007199254740993\n");
  const { code, messages } = await retryAll(file);
  expect(code).toBe(1);
  expect(messages).toEqual([
    expect.stringMatching(/`stars` holds 9007199254740993, beyond what a number holds exactly/u),
  ]);
  expect(messages[0]).toMatch(CURE);
  expect(recordsIn(folder)).toEqual([]);
  expect(lettersIn(folder)).toHaveLength(1);
});

test("what a row lacks is said in the words of a batch", async () => {
  const { file } = await begun("comment,stars\n,1\ntoo,many,cells\n");
  const { messages } = await retryAll(file);
  expect(messages.toSorted()).toEqual([
    expect.stringMatching(/^it has 3 cells, and the header names 2 columns/u),
    expect.stringMatching(/^the column `comment` is empty/u),
  ]);
  for (const message of messages) expect(message).toMatch(CURE);
});

test("a row without a task is one that can't be read", async () => {
  const folder = batchFolder("comment,task\nfine,\n");
  const spec = join(folder, "spec.yaml");
  writeFileSync(spec, readFileSync(spec, "utf8").replace(/^task:.*\n/mu, ""));
  await runInProcess("batch", spec, "--from", join(folder, "rows.csv"), "--no-discovery");
  expect(lettersIn(folder)).toMatchObject([{ message: "the column `task` is empty" }]);
  const { messages } = await retryAll(join(folder, "rows.csv.out.dead.jsonl"));
  expect(messages).toEqual([expect.stringMatching(/^the row has no task; mend/u)]);
});

test.each(["list", "show", "retry"])(
  "%s refuses a file of another kind with one error",
  async (act) => {
    const folder = tempFiles({ "rows.jsonl": '{"comment":"a"}\n'.repeat(40) });
    const ids = act === "show" ? ["x"] : act === "retry" ? ["--all"] : [];
    const file = join(folder, "rows.jsonl");
    const { code, stderr } = await runInProcess("dead-letters", act, ...ids, file);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^loopwright: .*rows\.jsonl is no file of dead letters.*\n$/u);
  },
);

test("of many broken lines five are told, and the others counted", async () => {
  const { file } = await begun("comment\nmute\n");
  appendFileSync(file, "{}\n".repeat(8));
  const { code, stderr, stdout } = await runInProcess("dead-letters", "list", file, "--json");
  expect(code).toBe(1);
  expect(stderr.match(/\.jsonl line \d+ is skipped: it is neither/gu)).toHaveLength(5);
  expect(stderr).toContain("3 more lines skipped");
  expect(JSON.parse(stdout)).toMatchObject({ letters: [{ code: "output-invalid" }] });
});

const retried = (file: string, ...args: readonly string[]) =>
  runInProcess("dead-letters", "retry", "--all", file, "--overlay", "other", ...args);
const openIn = async (file: string) => (await readDeadLetters(file)).open;

test("a letter whose row has a value already is resolved without a run", async () => {
  const { folder, file } = await begun("comment\nmute\n");
  const before = readFileSync(file, "utf8");
  await retried(file);
  // A kill between the value and the note.
  writeFileSync(file, before);
  expect(await retried(file)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 letter resolved, 0 left"),
  });
  expect(recordsIn(folder)).toHaveLength(1);
  expect(await openIn(file)).toEqual([]);
});

test("of several open letters of a row one is run", async () => {
  const { folder, file } = await begun("comment\nmute\n");
  const [letter] = lettersIn(folder);
  appendFileSync(file, `${JSON.stringify({ ...letter, id: "later" })}\n`);
  expect(await retried(file)).toMatchObject({ code: 0 });
  expect(recordsIn(folder)).toMatchObject([{ row: 1 }]);
  expect(await openIn(file)).toEqual([]);
});

test("letters are read once the output is locked", async () => {
  const { folder, file } = await begun("comment\nmute\n");
  const opened = await openApp({ root: folder, discovery: false, terminal: SILENT_TERMINAL });
  const chosen = await openIn(file);
  await retried(file);
  const setting = {
    opened,
    settings: { overlays: ["other"] },
    file,
    parallel: 1,
    signal: new AbortController().signal,
    tell: () => undefined,
    onRetried: () => undefined,
  };
  expect(await retryLetters(setting, chosen)).toEqual([]);
  expect(recordsIn(folder)).toHaveLength(1);
  await opened.app.close();
});

test("a failure of one letter aborts the others before any file is closed", async () => {
  const { folder, file } = await begun("comment\nmute\n");
  const [letter] = await openIn(file);
  if (letter === undefined) throw new Error("no letter");
  const of = (row: number, comment: string): string =>
    `${JSON.stringify({ ...letter, id: `row-${row}`, input: { inputs: { comment } }, origin: { ...letter.origin, row } })}\n`;
  writeFileSync(file, of(1, "paused") + of(2, "fine"));
  const opened = await openApp({ root: folder, discovery: false, terminal: SILENT_TERMINAL });
  const thrown = new Error("nothing can be told");
  const setting = {
    opened,
    settings: {},
    file,
    parallel: 2,
    signal: new AbortController().signal,
    tell: () => undefined,
    onRetried: () => {
      throw thrown;
    },
  };
  await expect(retryLetters(setting, await openIn(file))).rejects.toBe(thrown);
  expect(recordsIn(folder)).toMatchObject([{ row: 2 }]);
  // The one under way has been aborted, and waits for the next time.
  expect(await openIn(file)).toMatchObject([{ id: "row-1" }]);
  expect(existsSync(join(folder, "rows.csv.out.jsonl.lock"))).toBe(false);
  await opened.app.close();
});

test("one listener stands for all letters, and is removed", async () => {
  const { folder, file } = await begun(`comment\n${"mute\n".repeat(3)}`);
  const opened = await openApp({ root: folder, discovery: false, terminal: SILENT_TERMINAL });
  const { signal } = new AbortController();
  const counts: number[] = [];
  const count = (): unknown => counts.push(getEventListeners(signal, "abort").length);
  const setting = {
    opened,
    settings: {},
    file,
    parallel: 1,
    signal,
    tell: count,
    onRetried: count,
  };
  expect(await retryLetters(setting, await openIn(file))).toHaveLength(3);
  expect(counts).toEqual([1, 1, 1]);
  expect(getEventListeners(signal, "abort")).toEqual([]);
  await opened.app.close();
});

test("letters of a dry run are retried as one", async () => {
  const folder = batchFolder("comment\nmute\n");
  const from = ["--from", join(folder, "rows.csv")];
  await runInProcess("batch", join(folder, "spec.yaml"), ...from, "--dry-run");
  const opened = await openApp({ root: folder, discovery: false, terminal: SILENT_TERMINAL });
  const outputs = new RetryOutputs(folder);
  const letters = await openIn(join(folder, "rows.csv.out.dead.jsonl"));
  await outputs.open(letters);
  expect(letters.map((letter) => outputs.of(letter)?.isDry)).toEqual([true]);
  outputs.close();
  await opened.app.close();
});
