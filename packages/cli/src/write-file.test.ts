import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder, writeTextFile } from "./write-file.ts";

const home = mkdtempSync(join(tmpdir(), "loopwright-write-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
writeFileSync(join(home, "file"), "kept");

test("makes every folder that is missing, and leaves one that is there", () => {
  makeFolder(join(home, "a", "b", "c"));
  makeFolder(join(home, "a", "b", "c"));
  writeTextFile(join(home, "a", "b", "c", "x"), "text");
  expect(readFileSync(join(home, "a", "b", "c", "x"), "utf8")).toBe("text");
});

test.each([
  ["a file as a folder", () => makeFolder(join(home, "file")), "is a file, not a folder"],
  ["a file on the way", () => makeFolder(join(home, "file", "x")), "is a file, not a folder"],
  ["a long name", () => makeFolder(join(home, "n".repeat(300))), "its name is too long"],
  ["a folder as a file", () => writeTextFile(home, ""), "is a folder, not a file"],
  ["what is there", () => writeTextFile(join(home, "file"), "", "wx"), "exists already"],
])("says in one sentence what stands against it: %s", (_name, write, sentence) => {
  expect(write).toThrow(expect.objectContaining({ name: "CommandError", exitCode: 4 }));
  expect(write).toThrow(sentence);
});

test.runIf(process.platform === "linux")("ends where no folder can be made", () => {
  expect(() => makeFolder("/proc/nope/deep")).toThrow("can't be");
});
