import { expect, it } from "vitest";
import { OpenLine } from "./open-line.ts";

it("gives the lines of a stream, however it is cut into pieces", () => {
  const text = "one\n\ntwo two\nthree\nrest";
  for (let size = 1; size <= text.length; size++) {
    const open = new OpenLine();
    const lines: string[] = [];
    for (let from = 0; from < text.length; from += size)
      lines.push(...open.push(text.slice(from, from + size)));
    expect(lines, `pieces of ${size}`).toEqual(["one", "", "two two", "three"]);
    expect(open.length).toBe(4);
  }
});

it("looks through each piece once, however long the line gets", () => {
  let looked = 0;
  const piece = Object.assign(Object("x".repeat(100)) as string, {
    split: (by: string) => {
      looked += 100;
      return "x".repeat(100).split(by);
    },
  });
  const open = new OpenLine();
  for (let count = 0; count < 500; count++) expect(open.push(piece)).toEqual([]);
  expect(open.length).toBe(50_000);
  expect(open.push("y\nz")).toEqual([`${"x".repeat(50_000)}y`]);
  expect(looked).toBe(50_000);
  expect(open.length).toBe(1);
  open.clear();
  expect(open.push("a\n")).toEqual(["a"]);
});
