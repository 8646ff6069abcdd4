import { join } from "node:path";
import { expect, test } from "vitest";
import { batchFolder } from "../../test/batch-files.ts";
import { runInProcess } from "../../test/run-in-process.ts";
import { type BatchEnd, summaryText } from "./batch-summary.ts";
import { NO_TALLY } from "./batch-tally.ts";

const end: BatchEnd = {
  spec: "spec.yaml",
  from: "rows.csv",
  to: "out.jsonl",
  deadLetters: "dead.jsonl",
  total: 31,
  openCount: 0,
  beyondCount: 0,
  tally: { ...NO_TALLY, values: 8, asked: 31, replied: 8, failed: { "provider-failed": 23 } },
  isPriced: true,
  compiling: "",
};

test("says of how many replies none fits, and how many rows got none", () => {
  expect(summaryText(end)).toContain(
    "first replies that did not fit: 0 of 8 (0 %); 23 rows got no reply at all",
  );
});

test("offers what can help: a retry, or to mend the rows", () => {
  const unread = { ...end, tally: { ...end.tally, failed: { "input-invalid": 1 } } };
  expect(summaryText(end)).toContain("retry --all dead.jsonl");
  expect(summaryText(end)).not.toContain("--retry-failed");
  expect(summaryText(unread)).not.toContain("retry --all");
  expect(summaryText(unread)).toContain(
    "1 row of rows.csv can't be read as inputs; then the same command with --retry-failed",
  );
});

test("counts no rows behind the last one that --limit names", async () => {
  const folder = batchFolder("comment\nfine\nmute\nfine\nmute\nfine\n");
  const args = ["batch", join(folder, "spec.yaml"), "--from", join(folder, "rows.csv")];
  await runInProcess(...args);
  const shown = await runInProcess(...args, "--limit", "2");
  expect(shown.stdout).toContain("2 rows: 1 with a value, 1 without one\n");
  expect(shown.stdout).toContain("not counted: 3 rows");
  for (const more of [[], ["--retry-failed"]]) {
    const { stdout } = await runInProcess(...args, "--limit", "2", "--json", ...more);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: { total: 2, values: 1, failed: 1, open: 0, beyond: 3 },
    });
  }
});

test("a file with no rows is told", async () => {
  const folder = batchFolder("comment\n");
  const args = ["batch", join(folder, "spec.yaml"), "--from", join(folder, "rows.csv")];
  const { code, stderr } = await runInProcess(...args);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/, 0 rows\n[^]*holds no rows, so that nothing is to be run/u),
  });
});
