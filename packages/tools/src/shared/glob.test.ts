import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob } from "./glob.ts";

describe("a glob", () => {
  it.each([
    ["*.ts", "src/deep/a.ts", true],
    ["*.ts", "a.tsx", false],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/deep/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/x/y/a.ts", true],
    ["**", "any/thing", true],
    ["**/b/**", "a/b/c", true],
    ["./src/*", "src/a", true],
    ["*.{ts,js}", "a.js", true],
    ["{src,test}/{a,b}.ts", "test/b.ts", true],
    ["{a,{b,c}}", "c", true],
    ["{a}", "{a}", true],
    ["a[1].ts", "a[1].ts", true],
    ["*", "", true],
  ])("%s on %s: %s", (glob, path, isFit) => {
    expect(compileGlob(glob)(path)).toBe(isFit);
  });

  it("fits what it is made of, with any part of it a star", () => {
    const name = fc.stringMatching(/^[ab.]{1,12}$/);
    fc.assert(
      fc.property(name, fc.nat(12), fc.nat(12), (text, from, length) => {
        const start = from % text.length;
        const glob = `${text.slice(0, start)}*${text.slice(start + length)}`;
        expect(compileGlob(glob)(text)).toBe(true);
      }),
    );
  });

  it("looks at each star once: a hostile one ends in a bounded number of steps", () => {
    const fits = compileGlob(`${"*a".repeat(90)}*b`);
    expect(fits("a".repeat(5_000))).toBe(false);
    expect(compileGlob(`${"**/a/".repeat(39)}b`)(`${"a/".repeat(2_000)}c`)).toBe(false);
  });

  it("refuses what is too long or has too many alternatives", () => {
    expect(() => compileGlob("a".repeat(201))).toThrow(/at most 200/);
    expect(() => compileGlob("{a,b}".repeat(7))).toThrow(/at most 64/);
  });
});
