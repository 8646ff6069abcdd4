import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { OutlineNode } from "./outline-node.ts";
import { readOutline } from "./outline.ts";

/** The outline as plain data: every scalar is its word. */
function dataOf(node: OutlineNode | undefined): unknown {
  if (node === undefined) return null;
  if (node.kind === "scalar") return node.word;
  if (node.kind === "list") return node.items.map(dataOf);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, dataOf(value)]));
}

describe("the outline of a text", () => {
  const texts: readonly (readonly [name: string, text: string])[] = [
    ["maps and lists of lines", "a: x\nb:\n  - c\n  - d: e\n    f: g\n"],
    ["a list as far left as its key", "a:\n- b\n- c: d\ne: f\n"],
    ["lists in lists", "- - a\n  - b\n- c\n"],
    ["braces and brackets", "a: { b: c, d: [e, { f: g }], 'h i': \"j\" }\nk: l\n"],
    ["braces over lines", "a: {\n  b: c,\n  d: e }\nf: [g,\n  h]\n"],
    ["comments", "# one\na: b # two\n# three\nc: { d: e } # four\n"],
    ["quoted texts", "a: 'it: # one'\nb: \"two: # three\"\n"],
    ["colons inside words", "a: http://x.y/z\nb: { c: d:e }\n"],
    ["a pair in brackets", "a: [b: c, d]\n"],
  ];
  for (const [name, text] of texts) {
    it(`reads ${name} as YAML does`, () => {
      expect(dataOf(readOutline(text))).toEqual(parse(text));
    });
  }

  it("keeps a block text as one value", () => {
    const text = "a: |\n  one: two\n    - three\n\n  # four\nb: c\n";
    const outline = readOutline(text);
    if (outline?.kind !== "map") throw new Error("no map");
    expect(outline.entries.map(({ key }) => key)).toEqual(["a", "b"]);
    expect(outline.entries[0]?.value).toMatchObject({ style: "block" });
  });

  const halves: readonly (readonly [name: string, text: string, data: unknown])[] = [
    ["a key without its colon", "a:\n  b: c\n  d\n", { a: { b: "c", d: null } }],
    ["braces that nothing closes", "a: { b: c, d\ne: f\n", { a: { b: "c", d: null }, e: "f" }],
    ["a quote that nothing closes", 'a: "b\nc: d\n', { a: "b", c: "d" }],
    ["a line that belongs nowhere", "a: b\n    c: d\ne: f\n", { a: "b", e: "f" }],
    ["a dash with nothing behind it", "a:\n  - b\n  -\nc: d\n", { a: ["b", ""], c: "d" }],
  ];
  for (const [name, text, data] of halves) {
    it(`reads on after ${name}`, () => {
      expect(dataOf(readOutline(text))).toEqual(data);
    });
  }

  it("reads any text at all, and stays inside it", () => {
    const piece = fc.constantFrom(
      "a",
      ":",
      " ",
      "\n",
      "- ",
      "{",
      "}",
      "[",
      "]",
      ",",
      "'",
      '"',
      "|",
      "#",
      "\t",
      "\r\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
        const text = pieces.join("");
        const isInside = (node: OutlineNode): boolean =>
          node.start >= 0 &&
          node.end <= text.length &&
          node.start <= node.end &&
          (node.kind === "scalar" ||
            (node.kind === "list"
              ? node.items.every(isInside)
              : node.entries.every(({ value }) => value === undefined || isInside(value))));
        const outline = readOutline(text);
        return outline === undefined || isInside(outline);
      }),
      { numRuns: 500 },
    );
  });

  it("reads a text that is nested without end", () => {
    expect(() => readOutline("[".repeat(50_000))).not.toThrow();
    expect(() => readOutline("- ".repeat(50_000))).not.toThrow();
    expect(() => readOutline("a: {".repeat(20_000))).not.toThrow();
  });
});
