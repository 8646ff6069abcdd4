import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { natureOf } from "./text-encoding.ts";

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("the first bytes of a file", () => {
  it.each([
    [latin("\x89PNG\r\n\x1a\n\0"), "a PNG picture"],
    [latin("\xff\xd8\xff\xe0"), "a JPEG picture"],
    [latin("RIFF\x10\0\0\0WEBPVP8 "), "a WebP picture"],
    [latin("%PDF-1.7\n"), "a PDF document"],
    [latin("PK\x03\x04\x14\0"), "a ZIP archive or office document"],
    [gzipSync("text"), "a gzip archive"],
    [latin("SQLite format 3\0"), "an SQLite database"],
    [latin("\x7fELF\x02\0"), "an ELF program"],
    [latin("\0\0\0\x18ftypheic"), "an MP4 film or a HEIF picture"],
    [latin("any\0thing"), "a binary file"],
  ])("tell a binary: %#", (bytes, what) => {
    expect(natureOf(bytes)).toEqual({ kind: "binary", what });
  });

  it.each([
    [latin(""), "utf-8"],
    [latin("MZ is a text"), "utf-8"],
    [latin("read on WAVE"), "utf-8"],
    [Buffer.from("häuser"), "utf-8"],
    [Buffer.from("\uFEFFa"), "utf-8"],
    [Buffer.from("\uFEFFa", "utf16le"), "utf-16le"],
    [Buffer.from("\uFEFFa", "utf16le").swap16(), "utf-16be"],
  ])("tell a text: %#", (bytes, encoding) => {
    expect(natureOf(bytes)).toEqual({ kind: "text", encoding });
  });
});
