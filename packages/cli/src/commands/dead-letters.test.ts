import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { batchFolder, lettersIn, recordsIn, rowsIn } from "../../test/batch-files.ts";
import { type Finished, runInProcess } from "../../test/run-in-process.ts";

const ROWS = "id,comment\na,fine\nb,mute: 一\u001B[2Jtwo\nc,too,many\n";

let folder = "";
let file = "";
beforeEach(async () => {
  folder = batchFolder(ROWS);
  file = join(folder, "rows.csv.out.dead.jsonl");
  await runInProcess("batch", join(folder, "spec.yaml"), "--from", join(folder, "rows.csv"));
});

const letters = (...args: readonly string[]): Promise<Finished> =>
  runInProcess("dead-letters", ...args);
const idOf = (row: number): string =>
  lettersIn(folder).find(({ origin }) => origin?.["row"] === row)?.id ?? "";

describe("list", () => {
  test("is a table with row, code, attempts and the start of the input", async () => {
    const { code, stdout } = await letters("list", file);
    expect(code).toBe(0);
    const line = stdout.split("\n").find((text) => text.startsWith(idOf(2).slice(0, 8)));
    expect(line).toMatch(
      /rows\.csv:2 +\d{4}-\d\d-\d\d \d\d:\d\d +output-invalid +\d +mute: 一\\u001b\[2Jtwo/u,
    );
    expect(stdout).toContain("2 open, 0 resolved");
  });

  test("skips a broken line and tells it", async () => {
    appendFileSync(file, '{"v":1,"kind":"dead-l\n');
    const { code, stdout, stderr } = await letters("list", file);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /rows\.csv\.out\.dead\.jsonl line 3 is skipped: it is not whole/u,
      ),
    });
    expect(stdout).toContain("2 open");
  });

  test("takes a spec whose output names the file", async () => {
    const spec = join(folder, "spec.yaml");
    const text = readFileSync(spec, "utf8");
    writeFileSync(
      spec,
      text.replace("output:\n", "output:\n  deadLetter: rows.csv.out.dead.jsonl\n"),
    );
    expect(await letters("list", spec)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("2 open"),
    });
  });

  test("says what to name where a spec names no file, and where there is none", async () => {
    const bare = await letters("list", join(folder, "spec.yaml"));
    expect(bare).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("names no dead letters"),
    });
    const none = await letters("list", join(folder, "none.jsonl"));
    expect(none).toMatchObject({ code: 4, stderr: expect.stringContaining("does not exist") });
  });
});

describe("show", () => {
  test("tells input, attempts and what was wrong with each", async () => {
    const { code, stdout } = await letters("show", idOf(2).slice(0, 6), file);
    expect(code).toBe(0);
    expect(stdout).toContain("input comment\n  mute: 一");
    expect(stdout).toMatch(/attempt 1: .*\(direct, scripted\/comments, stop\)\n  no\n  → /u);
    expect(stdout).toContain("row's columns");
    expect(stdout).not.toContain("\u001B");
  });

  test("tells the reasoning of an attempt that said nothing else", async () => {
    const letter = lettersIn(folder).find(({ origin }) => origin?.["row"] === 2);
    const attempts = letter?.attempts.map((one) => ({
      ...one,
      text: "",
      reasoning: "all\nin here",
    }));
    writeFileSync(file, `${JSON.stringify({ ...letter, attempts })}\n`);
    const { stdout } = await letters("show", idOf(2), file);
    expect(stdout).toMatch(
      /attempt 1: .*\n {2}\(nothing but reasoning\)\n {2}all\n {2}in here\n {2}→ /u,
    );
  });

  test("an id that nothing has is told with the nearest one", async () => {
    const id = idOf(2).slice(0, 8);
    const slip = `${id.slice(0, 7)}${id.endsWith("0") ? "1" : "0"}`;
    const { code, stderr } = await letters("show", slip, file);
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining(`did you mean \`${id}\``),
    });
  });
});

describe("retry", () => {
  test("resolves what gives a value, adds its line to the batch, leaves the rest", async () => {
    const { code, stdout, stderr } = await letters("retry", "--all", file, "--overlay", "other");
    expect(code).toBe(1);
    expect(stderr).toContain("spec.yaml is not what it was");
    expect(stdout).toContain("1 letter resolved, 1 left");
    expect(rowsIn(folder)).toEqual([1, 2]);
    expect(recordsIn(folder).find(({ row }) => row === 2)).toMatchObject({
      value: { sentiment: "good" },
      columns: { id: "b" },
    });
    const rest = await letters("list", file, "--json");
    expect(JSON.parse(rest.stdout)).toMatchObject({
      letters: [{ origin: { row: 3 } }],
      resolved: 1,
    });
  });

  test("a letter that fails again has a letter in its place", async () => {
    const before = idOf(2);
    const { code, stdout } = await letters("retry", before.slice(0, 8), file, "--json");
    expect(code).toBe(1);
    const { retried } = JSON.parse(stdout) as { retried: { id: string; letterId: string }[] };
    expect(retried).toMatchObject([
      { id: before, isResolved: false, letterId: expect.any(String) },
    ]);
    const list = await letters("list", file, "--json");
    const { letters: open } = JSON.parse(list.stdout) as { letters: { id: string }[] };
    expect(open.map(({ id }) => id)).toContain(retried[0]?.letterId);
    expect(open.map(({ id }) => id)).not.toContain(before);
    expect(open).toHaveLength(2);
  });

  test.each([[["retry"]], [["retry", "--all", "x"]], [[]], [["lst"]]])(
    "a command line that says too little or too much is told: %j",
    async (args) => {
      const { code } = await letters(...args, ...(args.includes("x") ? [file] : []));
      expect(code).toBe(64);
    },
  );
});
