import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { clip, neutralize, widthOf, wrap } from "./text.ts";

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("a", " ", "订", "，", "é", "👩‍👩‍👧", "-", "\n", "“") }),
);

describe("neutralize", () => {
  it.each([
    ["colour goes", "\u001b[1;31mred\u001b[0m", "red"],
    ["a cursor movement is seen", "a\u001b[2Jb", "a␛[2Jb"],
    ["a title is seen", "\u001b]0;mine\u0007", "␛]0;mine␇"],
    ["a carriage return hides nothing", "safe\rrm -rf", "safe\nrm -rf"],
    ["one-character controls go", "\u009b2J", "�2J"],
    ["reordering goes", "a\u202Eb\u2066c\u061Cd\u200Fe", "abcde"],
    ["what is not seen goes", "a\u00ADb\u200B\u2800c\u3164\u034Fd\uFE01\u{E0101}e", "abcde"],
    [
      "joiners and the pictures of emoji stay",
      "\u{1F469}\u200D\u{1F33E} \u2764\uFE0F",
      "\u{1F469}\u200D\u{1F33E} \u2764\uFE0F",
    ],
    ["half a character is replaced", "a\ud800", "a\ufffd"],
  ])("%s", (_, text, shown) => {
    expect(neutralize(text)).toBe(shown);
  });

  it("leaves no control character but the line feed in any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(neutralize(text)).not.toMatch(/[^\P{Cc}\n]/u);
      }),
    );
  });
});

describe("wrap", () => {
  it("breaks at spaces and keeps the indentation of a first word", () => {
    expect(wrap("one two  three", 8)).toEqual(["one two", "three"]);
    expect(wrap("  one two", 6)).toEqual(["  one", "two"]);
  });

  it("breaks a word that is wider than a line", () => {
    expect(wrap("a abcdefghij b", 4)).toEqual(["a", "abcd", "efgh", "ij b"]);
  });

  it("breaks between wide characters, never before their closing punctuation", () => {
    expect(wrap("包裹已打包，明天取件。", 10)).toEqual(["包裹已打", "包，明天取", "件。"]);
  });

  it("gives up the first line where its label leaves no room", () => {
    expect(wrap("abcdef gh", 8, 5)).toEqual(["", "abcdef", "gh"]);
    expect(wrap("ab cdef", 8, 5)).toEqual(["ab", "cdef"]);
  });

  it("never makes a line too wide and never loses a visible character", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (raw, columns) => {
        const text = neutralize(raw);
        const lines = wrap(text, columns);
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
        expect(lines.join("").replace(/\s/gu, "")).toBe(text.replace(/\s/gu, ""));
      }),
    );
  });
});

describe("clip", () => {
  it("counts wide characters as two", () => {
    expect(widthOf("订单 ok")).toBe(7);
    expect(clip("订单状态", 6)).toBe("订单…");
    expect(clip("订单状态", 8)).toBe("订单状态");
  });

  it("never exceeds its columns", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 20 }), (raw, columns) => {
        const text = neutralize(raw).replaceAll("\n", " ");
        expect(stringWidth(clip(text, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
