import { describe, expect, it } from "vitest";
import { parseRange } from "./version-range.ts";

const allows = (range: string, version: string): boolean | undefined =>
  parseRange(range)?.allows(version);

describe("a range of versions", () => {
  it.each([
    ["1.2.3", ["1.2.3"], ["1.2.4", "1.2.2"]],
    ["=1.2.3", ["1.2.3"], ["1.2.4"]],
    ["^1.2.3", ["1.2.3", "1.9.0"], ["1.2.2", "2.0.0", "2.0.0-beta.1"]],
    ["^0.2.3", ["0.2.3", "0.2.9"], ["0.3.0", "0.2.2"]],
    ["^0.0.3", ["0.0.3"], ["0.0.4"]],
    ["^1", ["1.0.0", "1.99.9"], ["2.0.0", "0.9.9"]],
    ["^0.0", ["0.0.9"], ["0.1.0"]],
    ["~1.2.3", ["1.2.3", "1.2.9"], ["1.3.0", "1.2.2"]],
    ["~1", ["1.9.9"], ["2.0.0"]],
    [">=1.2.0", ["1.2.0", "9.0.0"], ["1.1.9"]],
    [">=1 <3", ["1.0.0", "2.9.9"], ["0.9.9", "3.0.0"]],
    [">= 1.2 < 2", ["1.2.0"], ["2.0.0"]],
    [">1.2.3", ["1.2.4"], ["1.2.3"]],
    [">1.2", ["1.3.0"], ["1.2.9"]],
    ["<=1.2", ["1.2.9"], ["1.3.0"]],
    ["1.x", ["1.0.0", "1.9.9"], ["2.0.0"]],
    ["1.2.*", ["1.2.9"], ["1.3.0"]],
    ["*", ["0.0.1", "7.1.0"], ["7.1.0-rc.1"]],
    ["^1.0.0 || ^3.0.0", ["1.5.0", "3.5.0"], ["2.0.0", "4.0.0"]],
    [
      "^1.2.3-beta.2",
      ["1.2.3-beta.2", "1.2.3-beta.11", "1.2.3", "1.4.0"],
      ["1.2.3-beta.1", "1.4.0-beta.3"],
    ],
  ])("%s", (range, inside, outside) => {
    expect(inside.filter((version) => allows(range, version) !== true)).toEqual([]);
    expect(outside.filter((version) => allows(range, version) !== false)).toEqual([]);
  });

  it.each([
    "",
    "latest",
    "../acme",
    "https://x.y/z.tgz",
    "file:x",
    "npm:other@1",
    "1.2.3.4",
    "01.2.3",
    "a.b.c",
    "^",
    "1 - 2",
  ])("is not `%s`", (text) => {
    expect(parseRange(text)).toBeUndefined();
  });

  it("holds no text that is no version", () => {
    expect(allows("*", "next")).toBe(false);
    expect(allows("*", "")).toBe(false);
  });
});
