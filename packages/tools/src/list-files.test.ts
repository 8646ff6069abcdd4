import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ToolContext, type ToolFunction } from "@loopwright/core/plugin";
import { tempFolder, toolContext } from "@loopwright/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { listFiles } from "./list-files.ts";

const call: ToolContext = toolContext();
const base = tempFolder();
const root = join(base, "project");

async function list(input: object = {}, options: object = {}): Promise<string> {
  const run = listFiles.create(
    { maxEntries: 500, ...options } as never,
    { projectRoot: root } as never,
  ) as ToolFunction<unknown, Promise<string>>;
  return run(input, call);
}

beforeAll(() => {
  for (const folder of ["docs/deep", "src", ".git", "node_modules/a", "empty", "../outside"])
    mkdirSync(join(root, folder), { recursive: true });
  const files: Record<string, string> = {
    "docs/b.md": "12345",
    "docs/a.md": "1",
    "docs/deep/c.md": "123",
    "src/main.ts": "main",
    ".hidden": "h",
    ".git/config": "g",
    "node_modules/a/index.js": "i",
    "../outside/secret.txt": "s",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  symlinkSync(join(base, "outside"), join(root, "out"));
});

describe("list-files", () => {
  it("lists one folder, sorted, with kinds and sizes, and says what it skipped", async () => {
    expect(await list()).toBe(
      [
        "docs/",
        "empty/",
        "out (link that leads out)",
        "src/",
        "[3 hidden or ignored skipped: .git, .hidden, node_modules]",
      ].join("\n"),
    );
    expect(await list({ path: "docs" })).toBe(
      "docs/a.md (1 bytes)\ndocs/b.md (5 bytes)\ndocs/deep/",
    );
    expect(await list({ path: "empty" })).toBe("[the folder is empty]");
  });

  it("goes as deep as it is told, a folder before what lies in it", async () => {
    expect(await list({ path: "docs", depth: 2 })).toBe(
      "docs/a.md (1 bytes)\ndocs/b.md (5 bytes)\ndocs/deep/\ndocs/deep/c.md (3 bytes)",
    );
  });

  it("finds files by glob at any depth, and shows hidden names where asked, .git never", async () => {
    expect(await list({ path: "docs", glob: "*.md" })).toBe(
      "docs/a.md (1 bytes)\ndocs/b.md (5 bytes)\ndocs/deep/c.md (3 bytes)",
    );
    expect(await list({ glob: "**/*.{ts,js}", all: true })).toBe(
      "node_modules/a/index.js (1 bytes)\nsrc/main.ts (4 bytes)\n[1 hidden or ignored skipped: .git]",
    );
    expect(await list({ path: "docs", glob: "*.rs" })).toBe("[no file fits the glob]");
  });

  it("stops at its limit and says so", async () => {
    expect(await list({ path: "docs", depth: 2 }, { maxEntries: 2 })).toBe(
      "docs/a.md (1 bytes)\ndocs/b.md (5 bytes)\n[only the first 2 names; narrow it with path, glob or depth]",
    );
    expect(await list({ path: "docs/deep" }, { maxEntries: 1 })).toBe("docs/deep/c.md (3 bytes)");
  });

  it("says where a link leads inside, and of no other place", async () => {
    const folder = join(root, "links");
    mkdirSync(folder);
    symlinkSync(join(root, "docs"), join(folder, "absolute"));
    symlinkSync("../docs/a.md", join(folder, "relative"));
    symlinkSync(join(base, "missing"), join(folder, "gone"));
    symlinkSync("absolute", join(folder, "twice"));
    const listed = await list({ path: "links" });
    rmSync(folder, { recursive: true });
    expect(listed.split("\n")).toEqual([
      "links/absolute (link to docs)",
      "links/gone (link to nowhere)",
      "links/relative (link to docs/a.md)",
      "links/twice (link to docs)",
    ]);
  });

  it("never walks through a link", async () => {
    expect(await list({ depth: 9 })).not.toContain("secret");
  });

  it.each([
    ["..", /outside the folder/],
    ["out", /outside the folder/],
    ["/etc", /outside the folder/],
    [root, /outside the folder/],
    ["docs\0", /outside the folder/],
    ["docs/a.md", /not a folder/],
    ["missing", /no readable file or folder/],
  ])("refuses %j", async (path, message) => {
    await expect(list({ path })).rejects.toThrow(message);
    await expect(list({ path })).rejects.toMatchObject({ family: "ToolError" });
  });

  it("stops when the call is aborted", async () => {
    const run = listFiles.create({ maxEntries: 5 } as never, { projectRoot: root } as never);
    const signal = AbortSignal.abort(new Error("the run ended"));
    await expect((async () => run({} as never, { ...call, signal }))()).rejects.toThrow(
      "the run ended",
    );
  });
});
