import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { batchFolder, recordsIn, rowsIn } from "../../test/batch-files.ts";
import { runInProcess } from "../../test/run-in-process.ts";

const ROWS = "id,comment,stars\na,fine,5\nb,fine,many\nc,fine,\n";

const batch = (folder: string, ...args: readonly string[]) =>
  runInProcess("batch", join(folder, "spec.yaml"), "--from", join(folder, "rows.csv"), ...args);

async function begun(rows: string): Promise<string> {
  const folder = batchFolder(rows);
  await batch(folder);
  return folder;
}

function change(folder: string, from: string, to: string): void {
  const path = join(folder, "rows.csv");
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
}

describe("a rows' file that was mended", () => {
  test("is told with the option that goes on", async () => {
    const folder = await begun(ROWS);
    change(folder, "many", "4");
    expect(await batch(folder)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("--retry-failed runs the rows without a value"),
    });
  });

  test("gives its failed rows with --retry-failed; afterwards the batch is as it is", async () => {
    const folder = await begun(ROWS);
    change(folder, "many", "4");
    change(folder, "c,fine,\n", "c,fine,\nd,fine,1\n");
    expect(await batch(folder, "--retry-failed")).toMatchObject({ code: 0 });
    expect(rowsIn(folder)).toEqual([1, 2, 3, 4]);
    expect(recordsIn(folder).find(({ row }) => row === 2)?.input).toMatchObject({ stars: 4 });
    expect(await batch(folder)).toMatchObject({ code: 0 });
  });

  test.each([
    ["c,fine,\n", "c,fine,1\n", "row 3 of"],
    ["a,fine", "z,fine", "row 1 of"],
    ["a,fine,5\n", "", "row 1 of"],
    ["c,fine,\n", "", "row 3 has a value, and"],
  ])("is refused where a row with a value is another: %j", async (from, to, why) => {
    const folder = await begun(ROWS);
    change(folder, "many", "4");
    change(folder, from, to);
    const { code, stderr } = await batch(folder, "--retry-failed");
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(why) });
    expect(rowsIn(folder)).toEqual([1, 3]);
  });

  test("may hold what is struck out of its values", async () => {
    const secret = "canary-5f1c9e7a2b4d";
    vi.stubEnv("CANARY_API_KEY", secret);
    try {
      const folder = await begun(`note,comment,stars\n${secret},fine ${secret},5\nb,fine,many\n`);
      change(folder, "many", "4");
      expect(await batch(folder, "--retry-failed")).toMatchObject({ code: 0 });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
