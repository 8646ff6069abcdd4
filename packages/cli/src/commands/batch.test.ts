import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { batchFolder, lettersIn, recordsIn, rowsIn } from "../../test/batch-files.ts";
import { runInProcess } from "../../test/run-in-process.ts";

const ROWS = `id,comment,stars
a,lovely,5
b,fenced,
c,mute,1
d,odd,2
e,lovely,many
f,too,many,cells
g,,3
`;

const batch = (folder: string, ...args: readonly string[]) =>
  runInProcess("batch", join(folder, "spec.yaml"), "--from", join(folder, "rows.csv"), ...args);

describe("a batch", () => {
  test("gives each row a line or a dead letter, and counts them", async () => {
    const folder = batchFolder(ROWS);
    const { code, stdout, stderr } = await batch(folder, "--json");
    expect(code).toBe(1);
    expect(stderr).toContain("inputs from columns: comment, stars");
    expect(stderr).toContain("kept beside each value: id");
    expect(JSON.parse(stdout)).toMatchObject({
      rows: { total: 7, values: 3, unsolvable: 0, limited: 0, failed: 4, open: 0 },
      failedByCode: { "input-invalid": 3, "output-invalid": 1 },
      firstReplies: { asked: 4, misfits: 2, repaired: 1, fedBack: 1 },
      spending: { usd: expect.any(Number) },
    });
    expect(rowsIn(folder)).toEqual([1, 2, 4]);
    expect(
      lettersIn(folder)
        .map(({ origin }) => origin?.["row"])
        .toSorted((a, b) => Number(a) - Number(b)),
    ).toEqual([3, 5, 6, 7]);
  });

  test("writes what a row gave beside what it was", async () => {
    const folder = batchFolder(ROWS);
    await batch(folder);
    expect(recordsIn(folder).find(({ row }) => row === 4)).toEqual({
      row: 4,
      runId: expect.any(String),
      outcome: "done",
      value: { sentiment: "good" },
      solvable: true,
      verified: "none",
      rejected: ["output-invalid"],
      spending: expect.objectContaining({ modelCalls: 2, toolCalls: 0 }),
      durationMs: expect.any(Number),
      input: { comment: "odd", stars: 2 },
      columns: { id: "d" },
    });
  });

  test("keeps the columns that --keep names alone", async () => {
    const folder = batchFolder("id,comment,other\n1,fine,x\n");
    await batch(folder, "--keep", "other");
    expect(recordsIn(folder)).toMatchObject([{ columns: { other: "x" } }]);
    expect(recordsIn(folder)[0]?.columns).not.toHaveProperty("id");
  });

  test("reads no column of a Parquet file that nothing wants", async () => {
    const folder = batchFolder("");
    const from = join(folder, "rows.parquet");
    const buffer = parquetWriteBuffer({
      columnData: [
        { name: "comment", data: ["fine"], type: "STRING" },
        { name: "id", data: ["a"], type: "STRING" },
        { name: "score", data: [Number.NaN], type: "DOUBLE" },
      ],
    });
    writeFileSync(from, new Uint8Array(buffer));
    const run = (...args: readonly string[]) =>
      runInProcess("batch", join(folder, "spec.yaml"), "--from", from, ...args);
    expect(await run()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("1 of them can't be read"),
    });
    expect(await run("--keep", "id", "--retry-failed")).toMatchObject({ code: 0 });
    expect(recordsIn(folder, "rows.parquet.out.jsonl")).toMatchObject([{ columns: { id: "a" } }]);
  });

  test("ends with 0 where every row has a value, and with no rows too", async () => {
    expect(await batch(batchFolder("comment\nfine\n"))).toMatchObject({ code: 0 });
    expect(await batch(batchFolder("comment\n"))).toMatchObject({ code: 0 });
  });

  test.each([
    ["2", [2, 1]],
    ["1", [1, 2]],
  ])("runs --parallel %s rows at a time", async (count, order) => {
    const folder = batchFolder("comment\npaused\nfine\n");
    await batch(folder, "--parallel", count);
    expect(recordsIn(folder).map(({ row }) => row)).toEqual(order);
  });

  test("takes the task of a row by --task", async () => {
    const folder = batchFolder("comment,hint\nfine,look twice\n");
    await batch(folder, "--task", "And {{ hint }}!");
    expect(recordsIn(folder)).toMatchObject([{ task: "And look twice!" }]);
  });
});

describe("before the first call", () => {
  test("all columns that are missing are one error", async () => {
    const { code, stderr } = await batch(batchFolder("coment,other\nfine,1\n"));
    expect(code).toBe(4);
    expect(stderr).toContain("`comment` (did you mean the column `coment`?)");
  });

  test("a limit on money that can't be kept is refused", async () => {
    const folder = batchFolder("comment\nfine\n");
    const spec = join(folder, "spec.yaml");
    const text = readFileSync(spec, "utf8");
    writeFileSync(
      spec,
      text
        .replace(/model: .*/u, "model: custom-free/x")
        .replace("custom-free/x", "{ use: openai/x, apiKey: k }"),
    );
    const { code, stderr } = await batch(folder, "--usd", "5");
    expect(code).toBe(4);
    expect(stderr).toContain("openai/x has no price");
  });

  test.each([
    [["--parallel", "0"], "--parallel=0: the value must be a whole number of at least 1"],
    [["--limit", "-3"], "--limit=-3: the value must be a whole number of at least 1"],
    [
      ["--task", "-x"],
      "--task needs a value; one that begins with a minus is written --task=VALUE",
    ],
    [["--usd", "free"], "--usd free is no sum"],
    [["--restart", "--anyway"], "exclude each other"],
    [["--keep", "nothing"], "--keep: `nothing`"],
    [["--task", "{{ nothing }}"], "--task: `nothing`"],
  ])("an option that says nothing is a usage error: %j", async (args, message) => {
    const { code, stderr } = await batch(batchFolder("comment\nfine\n"), ...args);
    expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining(message) });
  });
});

describe("the same command once more", () => {
  test("runs no settled row again", async () => {
    const folder = batchFolder(ROWS);
    await batch(folder, "--limit", "3");
    const first = recordsIn(folder);
    expect(rowsIn(folder)).toEqual([1, 2]);
    const { stderr } = await batch(folder);
    expect(stderr).toContain("goes on: 3 of 7 rows are settled");
    expect(rowsIn(folder)).toEqual([1, 2, 4]);
    expect(recordsIn(folder).slice(0, 2)).toEqual(first);
    expect(lettersIn(folder)).toHaveLength(4);
  });

  test("runs the row of a line that a kill cut off", async () => {
    const folder = batchFolder("comment\nfine\nfine\n");
    await batch(folder, "--parallel", "1");
    const path = join(folder, "rows.csv.out.jsonl");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.slice(0, -40));
    await batch(folder);
    expect(rowsIn(folder)).toEqual([1, 2]);
  });

  test("refuses a spec or rows that changed, says what, and goes on with --anyway", async () => {
    const folder = batchFolder("comment\nfine\n");
    await batch(folder);
    appendFileSync(join(folder, "rows.csv"), "more\n");
    const refused = await batch(folder, "--overlay", "other");
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain("the spec, its models or what is set over it changed");
    expect(refused.stderr).toContain("the rows' file went from 13 to 18 bytes");
    expect(rowsIn(folder)).toEqual([1]);
    expect(await batch(folder, "--anyway")).toMatchObject({ code: 0 });
    expect(rowsIn(folder)).toEqual([1, 2]);
    expect(await batch(folder)).toMatchObject({ code: 0 });
  });

  test.each([[[]], [["--restart"]], [["--anyway"]]])(
    "refuses to write into a file that no batch made: %j",
    async (args) => {
      const folder = batchFolder("comment\nfine\n");
      writeFileSync(join(folder, "rows.csv.out.jsonl"), "mine");
      expect(await batch(folder, ...args)).toMatchObject({
        code: 4,
        stderr: expect.stringMatching(/no .*\.batch\.json; name another --to, or delete the file/u),
      });
      expect(readFileSync(join(folder, "rows.csv.out.jsonl"), "utf8")).toBe("mine");
    },
  );

  test.each([
    [["--dry-run"], [], /it was a --dry-run and is none/u],
    [[], ["--dry-run"], /--dry-run was not given and is now/u],
  ])("refuses to mix a dry run with one that acts: %j, then %j", async (before, after, told) => {
    const folder = batchFolder("comment\nfine\n");
    expect(await batch(folder, ...before)).toMatchObject({ code: 0 });
    expect(await batch(folder, ...before)).toMatchObject({ code: 0 });
    expect(await batch(folder, ...after)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(told),
    });
  });

  test("tells with each row of a dry run what was left out", async () => {
    const folder = batchFolder("comment\nfine\n");
    const change = (name: string, from: string, to: string): void => {
      const text = readFileSync(join(folder, name), "utf8");
      expect(text).toContain(from);
      writeFileSync(join(folder, name), text.replace(from, to));
    };
    const reflect = "{ reflect: { into: notes } }";
    change(
      "spec.yaml",
      "strategy: direct",
      `memory: { notes: { use: in-process } }\nstrategy: [direct, ${reflect}]`,
    );
    const lesson = "{ trigger: a, failurePattern: b, lesson: look twice, avoid: c }";
    change(
      "replies.yaml",
      "replies:\n",
      `replies:\n  - { stage: reflect, json: ${lesson}, times: always }\n`,
    );
    expect(await batch(folder, "--dry-run")).toMatchObject({ code: 0 });
    expect(recordsIn(folder)).toMatchObject([
      { stubbed: [{ tool: "memory notes", input: { lesson: "look twice" } }] },
    ]);
  });

  test("goes on with rows whose pin is gone only with --anyway", async () => {
    const folder = batchFolder("comment\nfine\nfine\n");
    await batch(folder, "--limit", "1");
    rmSync(join(folder, "rows.csv.out.jsonl.batch.json"));
    expect(await batch(folder)).toMatchObject({ code: 4 });
    expect(await batch(folder, "--anyway")).toMatchObject({ code: 0 });
    expect(rowsIn(folder)).toEqual([1, 2]);
  });

  test("begins again with --restart", async () => {
    const folder = batchFolder(ROWS);
    await batch(folder);
    await batch(folder, "--restart");
    expect(rowsIn(folder)).toEqual([1, 2, 4]);
    expect(lettersIn(folder)).toHaveLength(4);
  });

  test("runs failed rows again with --retry-failed; what fails again has one open letter", async () => {
    const folder = batchFolder(ROWS);
    await batch(folder);
    const { stdout } = await batch(
      folder,
      "--retry-failed",
      "--anyway",
      "--overlay",
      "other",
      "--json",
    );
    expect(JSON.parse(stdout)).toMatchObject({ rows: { total: 7, values: 4, failed: 3, open: 0 } });
    expect(rowsIn(folder)).toEqual([1, 2, 3, 4]);
    const list = await runInProcess(
      "dead-letters",
      "list",
      join(folder, "rows.csv.out.dead.jsonl"),
      "--json",
    );
    const { letters } = JSON.parse(list.stdout) as { letters: { origin: { row: number } }[] };
    expect(letters.map(({ origin }) => origin.row).toSorted((a, b) => a - b)).toEqual([5, 6, 7]);
  });
});

describe("limits over the whole batch", () => {
  test("no row begins once --model-calls are made, the calls before counted", async () => {
    const folder = batchFolder("comment\n1\n2\n3\n4\n5\n");
    const limited = await batch(folder, "--model-calls", "2", "--parallel", "1");
    expect(limited.code).toBe(2);
    expect(limited.stdout).toContain("2 with a value, 3 still to run");
    expect(await batch(folder, "--model-calls", "3", "--parallel", "1")).toMatchObject({ code: 2 });
    expect(rowsIn(folder)).toEqual([1, 2, 3]);
  });

  test("what a replaced dead letter cost stays spent", async () => {
    const folder = batchFolder("comment\nmute\nfine\n");
    const first = await batch(folder, "--json", "--limit", "1");
    const { spending } = JSON.parse(first.stdout) as { spending: { modelCalls: number } };
    const calls = spending.modelCalls;
    const retry = async (): Promise<unknown> => {
      const { stdout } = await batch(folder, "--json", "--limit", "1", "--retry-failed");
      return JSON.parse(stdout);
    };
    expect(await retry()).toMatchObject({ spending: { modelCalls: 2 * calls } });
    expect(await retry()).toMatchObject({ spending: { modelCalls: 3 * calls } });
    const dead = join(folder, "rows.csv.out.dead.jsonl");
    await runInProcess("dead-letters", "retry", "--all", dead);
    const { code, stdout } = await batch(folder, "--json", "--model-calls", String(4 * calls));
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: { open: 1 },
      spending: { modelCalls: 4 * calls },
    });
    await batch(folder, "--restart", "--limit", "1");
    const { stdout: anew } = await batch(folder, "--json", "--limit", "1");
    expect(JSON.parse(anew)).toMatchObject({ spending: { modelCalls: calls } });
  });

  test("no row begins once --usd is spent", async () => {
    const folder = batchFolder("comment\n1\n2\n3\n");
    const { code, stdout } = await batch(folder, "--usd", "0.0001", "--parallel", "1", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: { values: 1, open: 2 },
      stopped: { why: "usd" },
    });
  });
});

test("--compare runs every row under each overlay and prints one line an overlay", async () => {
  const folder = batchFolder("comment\nfine\nmute\n");
  const { code, stdout } = await batch(folder, "--compare", "other", "--compare", "other");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^OVERLAY +ROWS.*\nother +2 +0 \(0 %\)/u);
  expect(rowsIn(folder, "rows.csv.out.other.jsonl")).toEqual([1, 2]);
});

test("a refused key stops it at the first row, and is told", async () => {
  const folder = batchFolder("comment\n1\n2\n3\n");
  writeFileSync(
    join(folder, "replies.yaml"),
    "replies: [{ error: { code: provider-unauthorized, message: the key is refused }, times: always }]",
  );
  const { code, stdout } = await batch(folder, "--parallel", "1");
  expect(code).toBe(1);
  expect(stdout).toContain("1 without one, 2 still to run");
  expect(stdout).toMatch(/stopped: .*the key is refused.*--retry-failed goes on/u);
});

test("a secret that a row holds is in no file", async () => {
  const secret = "canary-5f1c9e7a2b4d";
  vi.stubEnv("CANARY_API_KEY", secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = batchFolder(`comment,stars,note\nfine,1,${secret}\n${secret},x,\n`);
  await batch(folder);
  expect(recordsIn(folder)).toHaveLength(1);
  expect(lettersIn(folder)).toHaveLength(1);
  expect(JSON.stringify([recordsIn(folder), lettersIn(folder)])).not.toContain(secret);
});

test("values and dead letters can't go to one file", async () => {
  const folder = batchFolder("comment\n1\n");
  const out = join(folder, "all.jsonl");
  const { code, stderr } = await batch(folder, "--to", out, "--dead-letters", out);
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: expect.stringContaining("where the values go"),
  });
});
