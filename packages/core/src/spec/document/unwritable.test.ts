import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { unwritable } from "./unwritable.ts";

const root = mkdtempSync(join(tmpdir(), "loopwright-unwritable-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, "logs"));
writeFileSync(join(root, "file.txt"), "");
const at = (path: string): string | undefined => unwritable(join(root, path), root);

describe("a file to write", () => {
  it.each([
    ["log.jsonl"],
    ["file.txt"],
    ["logs/log.jsonl"],
    ["made/by/the/sink/log.jsonl"],
    ["${run:id}.jsonl"],
    ["logs/${run:id}/log.jsonl"],
    ["logs/a-${run:id}/log.jsonl"],
  ])("can be written at %s", (path) => {
    expect(at(path)).toBeUndefined();
  });

  it.each([
    ["logs", "`logs` is a folder"],
    [".", "`.` is a folder"],
    ["file.txt/log.jsonl", "`file.txt` is a file, not a folder"],
    ["file.txt/deep/log.jsonl", "`file.txt` is a file, not a folder"],
    ["file.txt/${run:id}.jsonl", "`file.txt` is a file, not a folder"],
  ])("can't be written at %s", (path, why) => {
    expect(at(path)).toBe(why);
  });

  it("can't be written where that is not allowed", () => {
    mkdirSync(join(root, "locked"));
    writeFileSync(join(root, "locked", "log.jsonl"), "");
    // Whoever runs the tests may write anywhere, or nowhere.
    const without = (path: string): string | undefined =>
      unwritable(join(root, path), root, (asked) => !asked.startsWith(join(root, "locked")));
    expect(without("locked/other.jsonl")).toBe("nothing may be written to the folder `locked`");
    expect(without("locked/log.jsonl")).toBe("`locked/log.jsonl` may not be changed");
    expect(without("log.jsonl")).toBeUndefined();
  });
});
