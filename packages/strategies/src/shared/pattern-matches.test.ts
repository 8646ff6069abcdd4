import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apart, matchesOf } from "./pattern-matches.ts";

const found = (pattern: string, text: string) => {
  const { matches, isCut } = matchesOf([pattern], text);
  return { found: matches.map((match) => match.found), isCut };
};

/** A line of spaces with a word at a place. */
const at = (place: number, word: string, length = 9_000) =>
  `${" ".repeat(place)}${word}`.padEnd(length);

describe("matches in a very long line", () => {
  it("are whole wherever they stand", () => {
    for (const border of [1_000, 2_000, 3_000, 4_000, 8_000])
      for (let place = border - 12; place <= border + 2; place += 1)
        expect(found("ORDER(\\d+)", at(place, "ORDER12345"))).toEqual({
          found: ["12345"],
          isCut: false,
        });
  });

  it("are those that a look at the whole line finds, in their order", () => {
    const word = fc.constantFrom("ab", "abb", "b", " ", "𝄞", "a".repeat(350), " ".repeat(700));
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 20, maxLength: 60 }),
        fc.constantFrom("ab+", "a{1,400}b?", "\\bab+\\b", "^a+", "b+$", "𝄞+", "[^a]b", "b*"),
        (words, pattern) => {
          const line = words.join("");
          const whole = [...line.matchAll(new RegExp(pattern, "gu"))];
          fc.pre(whole.every(([match]) => match.length < 1_000));
          const read = matchesOf([pattern], line);
          const texts = whole.map(([match]) => match.trim()).filter((text) => text !== "");
          const said = read.matches.map((match) => match.found);
          // Only letters side by side in thousands may be a part of something longer.
          const isLong = /a{1000}/.test(line);
          expect(read.isCut && isLong ? texts : said).toEqual(texts);
        },
      ),
    );
  });

  it("that may be a part of something longer are none, and that is said", () => {
    expect(found("a*b", `${"a".repeat(8_100)}b`)).toEqual({ found: [], isCut: true });
    expect(found("a+", "a".repeat(4_001))).toEqual({ found: [], isCut: true });
    expect(found("no (\\d+)", `no ${"1".repeat(5_000)}`)).toEqual({ found: [], isCut: true });
    expect(found("a+", "a".repeat(4_000))).toEqual({ found: ["a".repeat(4_000)], isCut: false });
    const within = `${"x".repeat(3_990)}${"a".repeat(990)}${"x".repeat(990)}`;
    expect(found("a+", within)).toEqual({ found: ["a".repeat(990)], isCut: false });
  });

  it("see the words around them, and neither begin nor end at a border of windows", () => {
    expect(found("\\bcd", at(1_999, "abcd"))).toEqual({ found: [], isCut: false });
    expect(found("^ *ab", `${"x".repeat(1_999)} ab ${"x".repeat(5_000)}`)).toEqual({
      found: [],
      isCut: false,
    });
    expect(found("ab$", `${"x".repeat(1_998)}ab${"x".repeat(3_000)}ab`)).toEqual({
      found: ["ab"],
      isCut: false,
    });
  });
});

describe("matches of several patterns", () => {
  it("come by their places, and the first of those that overlap stands apart", () => {
    const { matches } = matchesOf(["\\d\\d", "a \\d"], "a 12\n34 a 5");
    expect(matches.map((match) => match.found)).toEqual(["a 1", "12", "34", "a 5"]);
    expect(apart(matches).map((match) => match.found)).toEqual(["a 1", "34", "a 5"]);
  });
});
