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
  await mkdir(join(base, "project-two"));
  const files: Record<string, string | Uint8Array> = {
    "project/docs/notes.md": "one\ntwo\nthree\nfour\n",
    "project/..odd.txt": "odd",
    "project/empty.txt": "",
    "project/.env": "KEY=1",
    "project/.env.example": "KEY=",
    "project/picture.png": Uint8Array.of(0x89, 0x50, 0, 1),
    "project/latin1.txt": Uint8Array.of(0xe9, 0x20, 0x41),
    "project/long.txt": "é".repeat(50),
    "project/huge.txt": new Uint8Array(20_000_001).fill(97),
    "project-two/secret.txt": "secret",
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(base, name), content);
  await symlink(join(base, "project-two"), join(base, "project", "out"));
  await symlink(join(base, "project", "docs"), join(base, "project", "in"));
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
      "éé\n[line 1 of 1 is cut at 5 bytes]",
    );
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
    ["picture.png", /binary or not UTF-8/],
    ["latin1.txt", /binary or not UTF-8/],
    ["huge.txt", /files above 20000000 bytes/],
    [".env", /secrets of the environment/],
    ["docs/notes.md\0.png", /outside the folder/],
  ])("refuses %j", async (path, message) => {
    await expect(tool()({ path }, call)).rejects.toThrow(message);
    await expect(tool()({ path }, call)).rejects.toMatchObject({ family: "ToolError" });
  });

  it("reads an example of an environment file", async () => {
    expect(await tool()({ path: ".env.example" }, call)).toBe("KEY=");
  });
});
