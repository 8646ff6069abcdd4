import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCsv } from "./csv.ts";

describe("parseCsv", () => {
  it("reads rows by the names of the first one, as text", () => {
    const read = parseCsv('id,text\r\n007,"a, ""b""\r\nc"\r\n\r\n8,\r\n');
    expect(read).toEqual({
      ok: true,
      rows: [
        { id: "007", text: 'a, "b"\r\nc' },
        { id: "8", text: "" },
      ],
    });
  });

  it("reads a header alone as no row, and a last line without an end", () => {
    expect(parseCsv("a,b")).toEqual({ ok: true, rows: [] });
    expect(parseCsv("a\n1")).toEqual({ ok: true, rows: [{ a: "1" }] });
  });

  it.each([
    ["", 1, 1, /no row of names/],
    ["a,b\n1\n", 2, 1, /1 values; the first row names 2/],
    ['a\n"x\ny",2\n', 2, 1, /2 values/],
    ['a,b\n1,"x\n', 2, 3, /never closed/],
    ['a\nx"y\n', 2, 2, /does not begin with one/],
    ['a,b\n1,"x"y\n', 2, 6, /follows the closing quote/],
    ['a\n"1\n2"x\n', 3, 3, /follows the closing quote/],
    ["a,a\n", 1, 1, /two columns/],
    ["a,\n", 1, 1, /column 2 has no name/],
    ["__proto__\n1\n", 1, 1, /cannot name a column/],
  ])("refuses %j at %i:%i", (text, line, column, message) => {
    expect(parseCsv(text)).toMatchObject({
      ok: false,
      line,
      column,
      message: expect.stringMatching(message) as string,
    });
  });

  it("reads back whatever is written with quotes", () => {
    const cell = fc.string().map((text) => text.replaceAll("\r", ""));
    const rows = fc.array(fc.tuple(cell, cell), { maxLength: 5 });
    const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(rows, (table) => {
        const text = ["a,b", ...table.map((row) => row.map(quote).join(","))].join("\n");
        expect(parseCsv(text)).toEqual({ ok: true, rows: table.map(([a, b]) => ({ a, b })) });
      }),
    );
  });
});
