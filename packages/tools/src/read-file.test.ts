import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ToolContext, type ToolFunction } from "@loopwright/core/plugin";
import { toolContext } from "@loopwright/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFile } from "./read-file.ts";

const call: ToolContext = toolContext();
let base = "";

function tool(options: { root?: string; maxBytes?: number } = {}): ToolFunction<unknown, unknown> {
  return readFile.create(
    { maxBytes: 200_000, ...options } as never,
    { projectRoot: join(base, "project") } as never,
  ) as ToolFunction<unknown, unknown>;
}

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "read-file-"));
  await mkdir(join(base, "project", "docs"), { recursive: true });
  await mkdir(join(base, "project", ".git"));
  await mkdir(join(base, "project-two"));
  const files: Record<string, string | Uint8Array> = {
    "project/docs/notes.md": "one\ntwo\nthree\nfour\n",
    "project/..odd.txt": "odd",
    "project/empty.txt": "",
    "project/.env": "KEY=1",
    "project/.envrc": "KEY=1",
    "project/.git/config": "token",
    "project/.env.example": "KEY=",
    "project/picture.png": Uint8Array.of(0x89, 0x50, 0, 1),
    "project/latin1.txt": Uint8Array.of(0xe9, 0x20, 0x41),
    "project/long.txt": "é".repeat(50),
    "project/magic.pdf": "%PDF-1.7 text only",
    "project/wide.txt": Buffer.from("\uFEFFweit\nnah\n", "utf16le"),
    "project/wide-be.txt": Buffer.from("\uFEFFweit", "utf16le").swap16(),
    "project/gbk.txt": Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3),
    "project/late.txt": `${"a".repeat(70_000)}\xe9\n`.replace("\xe9", "é"),
    "project/huge.txt": `${"0123456789\n".repeat(2_000_000)}last\n`,
    "project/one-line.txt": "a".repeat(3_000_000),
    "project-two/secret.txt": "secret",
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(base, name), content);
  await symlink(join(base, "project-two"), join(base, "project", "out"));
  await symlink(join(base, "project", "docs"), join(base, "project", "in"));
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(base, "project", "pipe")]);
});
afterAll(() => rm(base, { recursive: true, force: true }));

describe("read-file", () => {
  it("returns a whole file unchanged", async () => {
    expect(await tool()({ path: "docs/notes.md" }, call)).toBe("one\ntwo\nthree\nfour");
    expect(await tool()({ path: "in/notes.md" }, call)).toBe("one\ntwo\nthree\nfour");
    expect(await tool()({ path: "..odd.txt" }, call)).toBe("odd");
    expect(await tool()({ path: "empty.txt" }, call)).toBe("[the file is empty]");
  });

  it("returns the lines asked for and says how to go on", async () => {
    expect(await tool()({ path: "docs/notes.md", offset: 2, limit: 2 }, call)).toBe(
      "two\nthree\n[lines 2 to 3 of 4; go on with offset 4]",
    );
    expect(await tool()({ path: "docs/notes.md", offset: 9 }, call)).toBe(
      "[the file has 4 lines; offset 9 is beyond its end]",
    );
  });

  it("stops at the byte limit, between lines where it can", async () => {
    expect(await tool({ maxBytes: 8 })({ path: "docs/notes.md" }, call)).toBe(
      "one\ntwo\n[lines 1 to 2 of 4; go on with offset 3]",
    );
    expect(await tool({ maxBytes: 5 })({ path: "long.txt" }, call)).toBe(
      "éé\n[line 1 of 1 is cut at 5 bytes, 48 characters are left out]",
    );
    expect(await tool()({ path: "one-line.txt" }, call)).toBe(
      `${"a".repeat(200_000)}\n[line 1 of 1 is cut at 200000 bytes, 2800000 characters are left out]`,
    );
    expect(await tool({ maxBytes: 2 })({ path: "docs/notes.md", offset: 2, limit: 1 }, call)).toBe(
      "tw\n[line 2 of 4 is cut at 2 bytes, 1 characters are left out; go on with offset 3]",
    );
  });

  it("reads a part of a huge file without counting its lines", async () => {
    expect(await tool()({ path: "huge.txt", limit: 1 }, call)).toBe(
      "0123456789\n[line 1; go on with offset 2]",
    );
    expect(await tool()({ path: "huge.txt", offset: 2_000_000 }, call)).toBe(
      "0123456789\nlast\n[lines 2000000 to 2000001 of 2000001]",
    );
    expect(await tool()({ path: "huge.txt" }, call)).toMatch(/\n\[lines 1 to 18181; go on with/);
  });

  it("stops in the middle of a huge file when the call is aborted", async () => {
    const abort = new AbortController();
    const asked = tool()(
      { path: "huge.txt", offset: 2_000_000 },
      { ...call, signal: abort.signal },
    );
    abort.abort(new Error("the run ended"));
    await expect(asked).rejects.toThrow("the run ended");
  });

  it("describes binary files", async () => {
    expect(await tool()({ path: "picture.png" }, call)).toBe(
      "[picture.png is a binary file of 4 bytes; its content is not shown]",
    );
    expect(await tool()({ path: "magic.pdf" }, call)).toMatch(/is a PDF document of 18 bytes/);
  });

  it("reads UTF-16 by its mark and other encodings by name, and says so", async () => {
    expect(await tool()({ path: "wide.txt" }, call)).toBe("weit\nnah\n[read as utf-16le]");
    expect(await tool()({ path: "wide-be.txt" }, call)).toBe("weit\n[read as utf-16be]");
    expect(await tool()({ path: "gbk.txt", encoding: "gbk" }, call)).toBe("你好\n[read as gbk]");
    expect(await tool()({ path: "late.txt", limit: 1 }, call)).toBe(`${"a".repeat(70_000)}é`);
    await expect(tool()({ path: "gbk.txt", encoding: "klingon" }, call)).rejects.toMatchObject({
      code: "tool-arguments-invalid",
    });
  });

  it("reads from the folder of its options alone", async () => {
    const inDocs = tool({ root: join(base, "project", "docs") });
    expect(await inDocs({ path: "notes.md" }, call)).toContain("one");
    await expect(inDocs({ path: "../empty.txt" }, call)).rejects.toThrow(/outside the folder/);
  });

  it.each([
    ["../project-two/secret.txt", /outside the folder/],
    ["/etc/hostname", /outside the folder/],
    ["out/secret.txt", /outside the folder/],
    ["docs/missing.md", /no readable file/],
    ["docs", /is a folder/],
    ["latin1.txt", /not utf-8 text.*Give `encoding`/],
    ["pipe", /not a regular file/],
    [".env", /secrets of the environment/],
    [".envrc", /secrets of the environment/],
    [".git/config", /lies in \.git and is never read/],
    ["docs/notes.md\0.png", /outside the folder/],
  ])("refuses %j", async (path, message) => {
    await expect(tool()({ path }, call)).rejects.toThrow(message);
    await expect(tool()({ path }, call)).rejects.toMatchObject({ family: "ToolError" });
  });

  it("reads an example of an environment file", async () => {
    expect(await tool()({ path: ".env.example" }, call)).toBe("KEY=");
  });
});
