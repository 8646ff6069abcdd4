import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type ToolContext, type ToolFunction } from "@loopwright/core/plugin";
import { tempFolder, toolContext } from "@loopwright/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { writeFile } from "./write-file.ts";

const call: ToolContext = toolContext();
let base = "";
let root = "";
let write: (input: object, context?: ToolContext) => Promise<string>;

function open(options: object = {}): (input: object, context?: ToolContext) => Promise<string> {
  const run = writeFile.create(
    { maxBytes: 1_000, ...options } as never,
    { projectRoot: root } as never,
  ) as ToolFunction<unknown, Promise<string>>;
  return async (input, context = call) => run(input, context);
}

const text = (path: string): string => readFileSync(join(root, path), "utf8");

beforeEach(() => {
  base = tempFolder();
  root = join(base, "project");
  mkdirSync(join(root, "docs"), { recursive: true });
  mkdirSync(join(root, ".git"));
  mkdirSync(join(base, "outside"));
  writeFileSync(join(root, "docs", "notes.md"), "one\ntwo\nthree\ntwo\n");
  writeFileSync(join(base, "outside", "secret.txt"), "secret");
  symlinkSync(join(base, "outside"), join(root, "out"));
  symlinkSync(join(base, "outside", "secret.txt"), join(root, "secret-link.txt"));
  symlinkSync(join(base, "outside", "new.txt"), join(root, "dangling.txt"));
  symlinkSync(join(root, "docs"), join(root, "in"));
  symlinkSync(join(root, ".git"), join(root, "harmless"));
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(root, "pipe")]);
  write = open();
});

describe("write-file", () => {
  it("asks a person unless the spec says otherwise: what it overwrites is lost", () => {
    expect(writeFile.effect).toBe("once");
  });

  it("creates a file with its folders, replaces it, and says what changed", async () => {
    expect(await write({ path: "a/b/c.txt", content: "x\ny\n" })).toBe(
      "Created a/b/c.txt: 2 lines, 4 bytes.",
    );
    expect(await write({ path: "a/b/c.txt", content: "é" })).toBe(
      "Replaced a/b/c.txt: 2 lines, 4 bytes before, 1 line, 2 bytes now.",
    );
    expect(text("a/b/c.txt")).toBe("é");
    expect(await write({ path: "a/b/c.txt", content: "é" })).toMatch(/^Nothing changed/);
    expect(await write({ path: "in/d.txt", content: "d" })).toMatch(/^Created/);
    expect(text("docs/d.txt")).toBe("d");
  });

  it("replaces one passage, and refuses one that is not there or there several times", async () => {
    const path = "docs/notes.md";
    expect(await write({ path, replace: { old: "one\ntwo", new: "eins" } })).toBe(
      "Changed lines 1 to 2 of docs/notes.md: 4 lines, 18 bytes before, 3 lines, 15 bytes now.",
    );
    expect(text(path)).toBe("eins\nthree\ntwo\n");
    expect(await write({ path, replace: { old: "two\n", new: "" } })).toMatch(/^Changed line 3 of/);
    await expect(write({ path, replace: { old: "four", new: "" } })).rejects.toThrow(
      /does not hold that passage; read the file again/,
    );
    writeFileSync(join(root, path), "two\none\ntwo\n");
    await expect(write({ path, replace: { old: "two", new: "2" } })).rejects.toThrow(
      /several times, at lines 1, 3; give a longer/,
    );
    writeFileSync(join(root, path), "aaa");
    await expect(write({ path, replace: { old: "aa", new: "b" } })).rejects.toThrow(
      /several times/,
    );
    expect(text(path)).toBe("aaa");
    expect(await write({ path, replace: { old: "aaa", new: "$&$1" } })).toMatch(/^Changed/);
    expect(text(path)).toBe("$&$1");
  });

  it("keeps line ends, a byte-order mark and the permissions of a file", async () => {
    writeFileSync(join(root, "dos.txt"), "\uFEFFone\r\ntwo\r\nthree\r\n");
    chmodSync(join(root, "dos.txt"), 0o755);
    await write({ path: "dos.txt", replace: { old: "one\ntwo", new: "a\nb" } });
    expect(text("dos.txt")).toBe("\uFEFFa\r\nb\r\nthree\r\n");
    expect(statSync(join(root, "dos.txt")).mode & 0o777).toBe(0o755);
  });

  it("loses none of two passages that are replaced at once", async () => {
    await Promise.all([
      write({ path: "docs/notes.md", replace: { old: "one", new: "1" } }),
      write({ path: "docs/notes.md", replace: { old: "three", new: "3" } }),
    ]);
    expect(text("docs/notes.md")).toBe("1\ntwo\n3\ntwo\n");
  });

  it("takes every name that the disk takes, and says so of a longer one", async () => {
    const longest = "文".repeat(85);
    expect(await write({ path: longest, content: "n" })).toMatch(/^Created/);
    expect(text(longest)).toBe("n");
    await expect(write({ path: "n".repeat(256), content: "n" })).rejects.toMatchObject({
      family: "ToolError",
      message: expect.stringMatching(/can't be written: ENAMETOOLONG\.$/),
    });
    expect(readdirSync(root).filter((name) => name.includes("part"))).toEqual([]);
  });

  it("goes on after a write that failed", async () => {
    const failing = write({ path: "../x", content: "" }).catch(() => "failed");
    expect(await write({ path: "next.txt", content: "n" })).toMatch(/^Created/);
    expect(await failing).toBe("failed");
  });

  it.each([
    ["../x.txt", /outside the folder/],
    ["/tmp/x.txt", /outside the folder/],
    ["out/x.txt", /outside the folder/],
    ["out/deep/x.txt", /outside the folder/],
    ["secret-link.txt", /outside the folder/],
    ["x\0.txt", /outside the folder/],
    ["dangling.txt", /link that leads nowhere/],
    ["docs", /not a regular file/],
    [".", /names a folder/],
    ["new/", /names a folder/],
    ["pipe", /not a regular file/],
    ["docs/notes.md/x.txt", /can't be made/],
    [".env", /never written/],
    ["docs/.env.local", /never written/],
    [".ENV", /never written/],
    [".envrc", /never written/],
    ["docs/prod.env", /never written/],
    [".git/config", /\.git, which is never written/],
    [".Git/hooks/x", /never written/],
    ["harmless/config", /\.git, which is never written/],
    ["node_modules/x.js", /node_modules, which is never written/],
  ])("refuses %j", async (path, message) => {
    await expect(write({ path, content: "x" })).rejects.toThrow(message);
    await expect(write({ path, content: "x" })).rejects.toMatchObject({ family: "ToolError" });
    expect(readdirSync(join(base, "outside"))).toEqual(["secret.txt"]);
    expect(readFileSync(join(base, "outside", "secret.txt"), "utf8")).toBe("secret");
    expect(readdirSync(join(root, ".git"))).toEqual([]);
  });

  it("refuses what is too long, binary, missing, or said in two ways", async () => {
    await expect(write({ path: "x.txt", content: "é".repeat(501) })).rejects.toThrow(/1002 bytes/);
    writeFileSync(join(root, "big.txt"), "b".repeat(1_001));
    writeFileSync(join(root, "latin.txt"), Uint8Array.of(0xe9, 97));
    const replace = { old: "a", new: "b" };
    await expect(write({ path: "big.txt", replace })).rejects.toThrow(/more than 1000 bytes/);
    await expect(write({ path: "latin.txt", replace })).rejects.toThrow(/not UTF-8/);
    await expect(write({ path: "no.txt", replace })).rejects.toThrow(/no file "no\.txt"/);
    await expect(write({ path: "x.txt" })).rejects.toThrow(/either `content` or `replace`/);
    await expect(write({ path: "x.txt", content: "", replace })).rejects.toThrow(/either/);
    expect(existsSync(join(root, "x.txt"))).toBe(false);
  });

  it("writes nothing after an abort, and leaves no part behind", async () => {
    const signal = AbortSignal.abort(new Error("the run ended"));
    await expect(write({ path: "x.txt", content: "x" }, { ...call, signal })).rejects.toThrow(
      "the run ended",
    );
    const abort = new AbortController();
    const asked = write({ path: "y.txt", content: "y" }, { ...call, signal: abort.signal });
    abort.abort(new Error("the run ended"));
    await asked.catch(() => undefined);
    expect(readdirSync(root).filter((name) => name.includes("part"))).toEqual([]);
  });
});
