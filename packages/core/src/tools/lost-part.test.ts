import { describe, expect, it } from "vitest";
import { lostPart } from "./lost-part.ts";
import { outputText } from "./result-text.ts";

const ring: { self?: object } = {};
ring.self = ring;

describe("what JSON would lose of an output", () => {
  it.each<readonly [unknown, string]>([
    [new Map([["quantity", 4]]), "the output is a Map"],
    [{ found: new Set([1]) }, "`found` is a Set"],
    [{ rows: [{ fault: new Error("down") }] }, "`rows[0].fault` is an Error"],
    [Number.NaN, "the output is NaN"],
    [{ ratio: Number.POSITIVE_INFINITY }, "`ratio` is Infinity"],
    [[1, () => 1], "`[1]` is a function"],
    [{ id: 10n }, "`id` is a bigint"],
    [Symbol("x"), "the output is a symbol"],
    [Promise.resolve(1), "the output is a Promise"],
    [ring, "`self` holds itself"],
  ])("is named (%#)", (output, said) => {
    expect(lostPart(output)).toBe(said);
    expect(() => outputText(output)).toThrow(`${said}, which can't be written down`);
  });

  it.each([
    { at: new Date(0), none: null, missing: undefined, list: [1, undefined] },
    new URL("https://example.com/"),
    [],
    "text",
  ])("is nothing of plain data and of what writes itself (%#)", (output) => {
    expect(lostPart(output)).toBeUndefined();
  });

  it("is nothing of data that stands in two places", () => {
    const part = { a: 1 };
    expect(lostPart({ one: part, two: part })).toBeUndefined();
  });
});
