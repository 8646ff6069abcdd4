import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSource, sourceFromText } from "./read-source.ts";

let root = "";

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-source-"));
  mkdirSync(join(root, "sub"));
  const utf16 = Buffer.from("a: 1\n", "utf16le");
  const files: readonly (readonly [string, string | Buffer])[] = [
    ["sub/a.yaml", "\ufeffa: 1\r\nb: \u4f60\n"],
    ["le.yaml", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    ["be.yaml", Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()])],
    ["bare.yaml", utf16],
    ["utf32.yaml", Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
    [
      "gbk.yaml",
      Buffer.from([0x61, 0x3a, 0x20, 0x31, 0x0a, 0x62, 0x3a, 0x20, 0xc4, 0xe3, 0xba, 0xc3]),
    ],
    ["replacement.yaml", "a: \ufffd\n"],
    ["large.yaml", "x".repeat(2_000)],
  ];
  for (const [name, content] of files) writeFileSync(join(root, name), content);
  symlinkSync("/etc", join(root, "etc"));
  symlinkSync(join(root, "sub/a.yaml"), join(root, "inner.yaml"));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

it("reads UTF-8 without its byte-order mark, and splits LF and CRLF lines", () => {
  expect(readSource("sub/a.yaml", { root })).toEqual({
    file: "sub/a.yaml",
    text: "a: 1\r\nb: \u4f60\n",
    lines: ["a: 1", "b: \u4f60", ""],
  });
});

it("names a file from the project root, however it was given", () => {
  expect(readSource(join(root, "sub/a.yaml"), { root }).file).toBe("sub/a.yaml");
  expect(readSource("./sub/../inner.yaml", { root })).toMatchObject({
    file: "inner.yaml",
    lines: ["a: 1", "b: \u4f60", ""],
  });
});

it("takes a genuine replacement character", () => {
  expect(readSource("replacement.yaml", { root }).problems).toBeUndefined();
});

describe("problems", () => {
  it.each([
    ["le.yaml", "LW-FILE-ENCODING", /UTF-16LE/],
    ["be.yaml", "LW-FILE-ENCODING", /UTF-16BE/],
    ["bare.yaml", "LW-FILE-ENCODING", /UTF-16LE/],
    ["utf32.yaml", "LW-FILE-ENCODING", /UTF-32LE/],
    ["gbk.yaml", "LW-FILE-ENCODING", /byte 0xc4/],
    ["none.yaml", "LW-FILE-MISSING", /none\.yaml/],
    ["sub", "LW-FILE-UNREADABLE", /regular file/],
    ["../x.yaml", "LW-FILE-OUTSIDE-ROOT", /outside/],
    ["etc/hostname", "LW-FILE-OUTSIDE-ROOT", /outside/],
    ["a\0b", "LW-FILE-MISSING", /NUL/],
  ])("%s", (path, code, message) => {
    const { text, problems } = readSource(path, { root });
    expect(text).toBe("");
    expect(problems).toMatchObject([{ code }]);
    expect(problems?.[0]?.message).toMatch(message);
  });

  it("points at the first byte that is not UTF-8", () => {
    expect(readSource("gbk.yaml", { root }).problems?.[0]).toMatchObject({ line: 2, column: 4 });
  });

  it("caps the size", () => {
    expect(readSource("large.yaml", { root, maxBytes: 1_000 }).problems).toMatchObject([
      { code: "LW-FILE-TOO-LARGE" },
    ]);
  });

  it("finds control characters in text from memory", () => {
    expect(sourceFromText("a: 1\nb: \u0000", "x").problems).toMatchObject([
      { code: "LW-FILE-CONTROL-CHARACTER", line: 2, column: 4 },
    ]);
  });
});
