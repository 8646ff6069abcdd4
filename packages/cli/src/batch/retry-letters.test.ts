import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { batchFolder, lettersIn, recordsIn } from "../../test/batch-files.ts";
import { runInProcess } from "../../test/run-in-process.ts";
import { tempFiles } from "../../test/temp-files.ts";

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
