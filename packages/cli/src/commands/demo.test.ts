import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runInProcess } from "../../test/run-in-process.ts";
import { repository } from "../../test/spawn-command.ts";
import { repositoryAround } from "./demo.ts";

test("looks for a clone around several folders, and says in one line that it needs one", () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "loopwright-"));
  expect(join(repositoryAround([elsewhere, import.meta.dirname]), "/")).toBe(repository);
  expect(() => repositoryAround([elsewhere])).toThrow(
    "the demo works in a clone of the Loopwright repository alone; clone the repository and run `npm start` there",
  );
  rmSync(elsewhere, { recursive: true });
});

test("is not among the commands of the published help, but has a help of its own", async () => {
  const { stdout } = await runInProcess("--help");
  expect(stdout).toMatch(/^ {2}lessons /mu);
  expect(stdout).not.toContain("demo");
  expect((await runInProcess("help", "demo")).stdout).toContain("loopwright demo");
});
