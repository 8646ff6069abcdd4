import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutParts, linesOf, numbered, windowsOf } from "./text-parts.ts";

const long = "word ".repeat(400);

/** Text with blank lines, long lines, both ends of lines, and characters of two units. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom("\n", "\r\n", "\n\n", " ", "。", "# Title", long, "𝄞".repeat(700)),
      fc.string({ unit: "binary" }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

const anyStarts = fc.array(
  fc.record({ title: fc.string(), line: fc.integer({ min: 0, max: 12 }) }),
  { maxLength: 15 },
);

describe("the lines of a text", () => {
  it("are the text, and none is much longer than a long line", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = linesOf(text);
        expect(lines.map((line) => line.text).join("")).toBe(text);
        expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => index));
        for (const line of lines) expect(line.text.trim().length).toBeLessThanOrEqual(500);
      }),
    );
  });

  it("take blank lines along, and are shown with numbers from 1", () => {
    const lines = linesOf("\n\nOne\n\n\nTwo\t2\r\nThree");
    expect(lines.map(({ text }) => text)).toEqual(["\n\nOne\n\n\n", "Two\t2\r\n", "Three"]);
    expect(numbered(lines)).toBe("1| One\n2| Two 2\n3| Three");
  });

  it("that are long end after a sentence, after a space, or between two characters", () => {
    const sentence = `${"a".repeat(300)}. ${"b".repeat(300)}`;
    expect(linesOf(sentence).map(({ text }) => text.length)).toEqual([302, 300]);
    expect(linesOf(long)[0]?.text).toMatch(/word $/);
    const spaces = " ".repeat(2_000_000);
    expect(linesOf(`${"a".repeat(2_000_000)}${spaces}`)).toHaveLength(4_000);
    const [first] = linesOf(`a${"𝄞".repeat(700)}`);
    expect(first?.text).toBe(`a${"𝄞".repeat(249)}`);
  });
});

describe("windows", () => {
  it("hold all lines in their order, each window no more than its size", () => {
    const lines = linesOf("12345\n".repeat(10));
    const { windows, unread } = windowsOf(lines, 20, 9);
    expect(windows.map((window) => window.length)).toEqual([3, 3, 3, 1]);
    expect(windows.flat()).toEqual(lines);
    expect(unread).toBe(0);
    expect(windowsOf(lines, 20, 2)).toMatchObject({ unread: 4 });
    expect(windowsOf([], 20, 2)).toEqual({ windows: [], unread: 0 });
  });
});

describe("the parts of a text", () => {
  const lines = linesOf("Preamble\nIntro\nmore\nCosts\nEnd\n");
  const starts = [
    { title: "Introduction", line: 1 },
    { title: "Costs", line: 3 },
  ];

  const titlesOf = (read: number, maxParts: number) =>
    cutParts(lines, starts, read, maxParts).parts.map(({ title }) => title);

  it("together are the text, with nothing lost and nothing twice, wherever they begin", () => {
    fc.assert(
      fc.property(
        anyText,
        anyStarts,
        fc.nat({ max: 14 }),
        fc.integer({ min: 1, max: 6 }),
        (text, begins, read, maxParts) => {
          const pieces = linesOf(text);
          const { parts } = cutParts(pieces, begins, Math.min(read, pieces.length), maxParts);
          expect(parts.map((part) => part.text).join("")).toBe(text);
          for (const part of parts) expect(text.slice(part.from, part.to)).toBe(part.text);
          expect(parts.length).toBeLessThanOrEqual(maxParts);
          expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
          for (const part of parts) expect(part.text).not.toBe("");
        },
      ),
    );
  });

  it("begin where they are said to, and with what stands before the first", () => {
    expect(cutParts(lines, starts, lines.length, 9).parts).toMatchObject([
      { id: "part-1", title: "Preamble", from: 0, to: 9, text: "Preamble\n" },
      { id: "part-2", title: "Introduction", text: "Intro\nmore\n" },
      { id: "part-3", title: "Costs", text: "Costs\nEnd\n", to: 30 },
    ]);
  });

  it("above the maximum go to the part before, and what was not read stays a part", () => {
    expect(titlesOf(5, 2)).toEqual(["Preamble", "Introduction"]);
    expect(titlesOf(4, 3)).toEqual(["Preamble", "Introduction", "End"]);
    expect(cutParts(lines, [], 0, 3).parts).toMatchObject([
      { title: "Preamble Intro more Costs End" },
    ]);
  });

  it("say how many above the maximum went to another", () => {
    const mergedOf = (read: number, maxParts: number) =>
      cutParts(lines, [...starts, { title: "Again", line: 3 }], read, maxParts).merged;
    expect([mergedOf(5, 9), mergedOf(5, 3), mergedOf(5, 2), mergedOf(5, 1)]).toEqual([0, 0, 1, 2]);
    expect([mergedOf(4, 4), mergedOf(4, 3), mergedOf(0, 1)]).toEqual([0, 1, 0]);
  });
});
