import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lettersIn, recordsIn } from "./batch-files.ts";
import { runInProcess } from "./run-in-process.ts";
import { repository } from "./spawn-command.ts";
import { tempFiles } from "./temp-files.ts";

const SPEC = join(repository, "specs/reviews.yaml");
const ROWS = join(repository, "specs/data/reviews.csv");
const LAYERS = ["prompt", "json-mode", "json-schema"];

interface Summary {
  readonly overlay?: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly firstReplies: {
    readonly misfits: number;
    readonly repaired: number;
    readonly fedBack: number;
    readonly byCode: Readonly<Record<string, number>>;
  };
  readonly spending: { readonly modelCalls: number };
}

test("twenty comments: nineteen values after all three rules, and one that is hopeless", async () => {
  const folder = tempFiles();
  const { code, stdout } = await runInProcess(
    "batch",
    SPEC,
    "--from",
    ROWS,
    "--to",
    join(folder, "out.jsonl"),
    "--json",
  );
  expect(code).toBe(1);
  const { rows, firstReplies, spending } = JSON.parse(stdout) as Summary;
  expect(rows).toMatchObject({ total: 20, values: 19, failed: 1, open: 0 });
  const records = recordsIn(folder, "out.jsonl");
  const [letter, ...others] = lettersIn(folder, "out.dead.jsonl");
  expect(others).toEqual([]);
  expect(letter).toMatchObject({ code: "output-invalid", origin: { row: 20 } });
  // A rule of each kind is broken once, and mended; the hopeless one breaks the same rule every time.
  const mended = records.filter(({ rejected }) => rejected !== undefined);
  expect(mended.map(({ row }) => row).toSorted((a, b) => a - b)).toEqual([4, 13, 19]);
  expect(firstReplies.misfits).toBe(mended.length + 1);
  const attempts = records.reduce((sum, { spending: { modelCalls } }) => sum + modelCalls, 0);
  expect(spending.modelCalls).toBe(attempts + (letter?.attempts.length ?? 0));
  expect(records.find(({ row }) => row === 15)?.value).toEqual({
    platform: "taobao",
    product: "青禾雨伞",
    sentiment: "negative",
  });
});

describe("the same under each layer", () => {
  test("fewer first replies are unfit the more is enforced, and the same rows fail", async () => {
    const folder = tempFiles();
    const args = ["batch", SPEC, "--from", ROWS, "--to", join(folder, "out.jsonl")].concat(
      LAYERS.flatMap((layer) => ["--compare", layer]),
    );
    const { code, stdout } = await runInProcess(...args, "--json", "--quiet");
    expect(code).toBe(1);
    const { compared } = JSON.parse(stdout) as { readonly compared: readonly Summary[] };
    expect(compared.map(({ overlay }) => overlay)).toEqual(LAYERS);
    const unfit = compared.map(({ firstReplies }) => firstReplies.misfits);
    expect(unfit).toEqual(unfit.toSorted((a, b) => b - a));
    expect(new Set(unfit).size).toBe(LAYERS.length);
    const [prompt, , schema] = compared;
    expect(prompt?.firstReplies.repaired).toBeGreaterThan(0);
    expect(Object.keys(schema?.firstReplies.byCode ?? {})).toEqual(["check-failed"]);
    for (const { rows } of compared) expect(rows).toMatchObject({ values: 19, failed: 1 });
    const table = await runInProcess(...args);
    expect(
      table.stdout
        .split("\n")
        .slice(1, 4)
        .map((line) => line.split(" ")[0]),
    ).toEqual(LAYERS);
  });
});
