import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ToolContext, type ToolFunction } from "@loopwright/core/plugin";
import { tempFolder, testClock, toolContext } from "@loopwright/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { searchFiles } from "./search-files.ts";

const call: ToolContext = toolContext();
const base = tempFolder();
const root = join(base, "project");

async function search(
  input: object,
  {
    clock = testClock(),
    signal = call.signal,
    ...options
  }: Record<string, unknown> & {
    clock?: ReturnType<typeof testClock>;
    signal?: AbortSignal;
  } = {},
): Promise<string> {
  const run = searchFiles.create(
    { maxMatches: 100, maxBytes: 50_000, ...options } as never,
    { projectRoot: root, clock } as never,
  ) as ToolFunction<unknown, Promise<string>>;
  return run(input, { ...call, signal });
}

beforeAll(() => {
  for (const folder of ["docs", "src", ".git", "node_modules", "many", "wide", "../outside"])
    mkdirSync(join(root, folder), { recursive: true });
  const files: Record<string, string | Uint8Array> = {
    "docs/notes.md": "one\nTwo (a+b)\nthree\nfour\nfive\nsix\ntwo again\n",
    "src/main.ts": 'const two = "2";\r\nconst n = 22;\r\n',
    "src/wide.txt": Buffer.from("\uFEFFtwo wide\n", "utf16le"),
    "src/picture.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 116, 119, 111),
    "src/latin.txt": Uint8Array.of(0xe9, 116, 119, 111),
    ".env": "two=secret",
    ".hidden": "two",
    "node_modules/x.js": "two",
    "many/lines.txt": Array.from({ length: 5_000 }, (_, at) => `line ${at + 1}`).join("\n"),
    "many/slow.txt": `${"a".repeat(40)}!\n`,
    "wide/one-line.txt": `${"y".repeat(30_000)}late`,
    "many/long.txt": `needle ${"x".repeat(400)}`,
    "../outside/secret.txt": "two",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  symlinkSync(join(base, "outside"), join(root, "out"));
  symlinkSync(join(base, "outside", "secret.txt"), join(root, "secret-link.txt"));
});

describe("search-files", () => {
  it("finds a text literally, file by file, and says what it skipped", async () => {
    expect(await search({ text: "two" })).toBe(
      [
        "docs/notes.md:7: two again",
        'src/main.ts:1: const two = "2";',
        "src/wide.txt:1: two wide",
        "[1 very long lines are searched at their start]",
        "[2 binary or unreadable files skipped]",
        "[4 hidden or ignored skipped: .env, .git, .hidden, node_modules]",
      ].join("\n"),
    );
    expect(await search({ text: "(a+b)", path: "docs" })).toBe("docs/notes.md:2: Two (a+b)");
    expect(await search({ text: "nowhere", path: "docs" })).toBe("[no match]");
  });

  it("takes capitals and small letters as the same where asked, and globs and single files", async () => {
    expect(await search({ text: "TWO", ignoreCase: true, glob: "*.md" })).toMatch(
      /^docs\/notes\.md:2: .*\ndocs\/notes\.md:7: two again\n\[4 hidden/,
    );
    expect(await search({ text: "three", path: "docs/notes.md" })).toBe("docs/notes.md:3: three");
  });

  it("takes a regular expression where asked", async () => {
    expect(await search({ text: "^t\\w+$", isRegex: true, path: "docs" })).toBe(
      "docs/notes.md:3: three",
    );
    expect(
      await search({ text: "TWO (AG|IN)", isRegex: true, ignoreCase: true, path: "docs" }),
    ).toBe("docs/notes.md:7: two again");
    await expect(search({ text: "(", isRegex: true })).rejects.toMatchObject({
      code: "tool-arguments-invalid",
      message: expect.stringContaining("no regular expression"),
    });
  });

  it("stops a regular expression that would take for ever, and the process stays awake", async () => {
    const clock = testClock();
    const asked = search({ text: "(a+)+$", isRegex: true, path: "many/slow.txt" }, { clock });
    const outcome = asked.then(
      () => "ended",
      (fault: Error) => fault.message,
    );
    await waitForTimer(clock);
    await clock.advance(2_000);
    expect(await outcome).toMatch(/takes too long/);
  });

  it("stops a regular expression at an abort", async () => {
    const clock = testClock();
    const abort = new AbortController();
    const asked = search(
      { text: "(a+)+$", isRegex: true, path: "many/slow.txt" },
      { clock, signal: abort.signal },
    ).catch((fault: Error) => fault.message);
    await waitForTimer(clock);
    abort.abort(new Error("the run ended"));
    expect(await asked).toBe("the run ended");
  });

  it("shows lines around a match, across batches of lines, and a gap between two of them", async () => {
    expect(await search({ text: "Two (", path: "docs", context: 1 })).toBe(
      "docs/notes.md-1- one\ndocs/notes.md:2: Two (a+b)\ndocs/notes.md-3- three",
    );
    expect(await search({ text: "wo ", path: "docs", context: 1 })).toBe(
      [
        "docs/notes.md-1- one",
        "docs/notes.md:2: Two (a+b)",
        "docs/notes.md-3- three",
        "--",
        "docs/notes.md-6- six",
        "docs/notes.md:7: two again",
      ].join("\n"),
    );
    expect(await search({ text: "line 2000", path: "many", context: 1 })).toBe(
      "many/lines.txt-1999- line 1999\nmany/lines.txt:2000: line 2000\nmany/lines.txt-2001- line 2001",
    );
  });

  it("stops at its limits and says so", async () => {
    const stopped = "[stopped after 2 matches; narrow the search with path, glob or a longer text]";
    expect(await search({ text: "line 1", path: "many" }, { maxMatches: 2 })).toBe(
      `many/lines.txt:1: line 1\nmany/lines.txt:10: line 10\n${stopped}`,
    );
    expect(await search({ text: "line 1", path: "many" }, { maxBytes: 55 })).toMatch(
      /^many\/lines\.txt:1: line 1\nmany\/lines\.txt:10: line 10\n\[stopped/,
    );
    expect(await search({ text: "needle", path: "many" })).toBe(
      `many/long.txt:1: needle ${"x".repeat(293)}… [cut]`,
    );
  });

  it("says where it searched a very long line at its start alone", async () => {
    expect(await search({ text: "late", path: "wide" })).toBe(
      "[no match]\n[1 very long lines are searched at their start]",
    );
  });

  it("never reads through a link, nor secrets, nor outside its folder", async () => {
    expect(await search({ text: "two", all: true })).not.toMatch(/secret/);
    await expect(search({ text: "two", path: "out" })).rejects.toThrow(/outside the folder/);
    await expect(search({ text: "two", path: "../outside" })).rejects.toThrow(/outside the folder/);
    await expect(search({ text: "two", path: ".env" })).rejects.toThrow(/never read/);
    await expect(search({ text: "two", path: ".git" })).rejects.toThrow(/lies in \.git/);
  });
});

async function waitForTimer(clock: ReturnType<typeof testClock>): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (clock.timers > 0) resolve();
      else setImmediate(look);
    };
    look();
  });
}
