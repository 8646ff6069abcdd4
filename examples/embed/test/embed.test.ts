import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs the command of the README and gives the lines that it prints. */
async function runExample(...given: readonly string[]): Promise<readonly string[]> {
  const command = ["--conditions=@loopwright/source", "--import", "tsx"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...command, "examples/embed/src/main.ts", ...given],
    { cwd: root },
  );
  return stdout.trimEnd().split("\n");
}

it("compiles, tells its steps, answers an approval and prints the typed result", async () => {
  expect(await runExample()).toEqual([
    "step 1 of at most 4",
    "refund of 25 euros: approved",
    "step 2 of at most 4",
    "paid after 2 model calls: Your money is on its way.",
  ]);
}, 60_000);

it("goes on without the effect when the host denies it", async () => {
  expect(await runExample("80")).toEqual([
    "step 1 of at most 4",
    "refund of 80 euros: denied",
    "step 2 of at most 4",
    "not paid after 2 model calls: I could not pay this; a colleague will write to you.",
  ]);
}, 60_000);
