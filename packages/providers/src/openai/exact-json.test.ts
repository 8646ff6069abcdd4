import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isExactJson } from "./exact-json.ts";

const isExact = (text: string): boolean => isExactJson(text, JSON.parse(text));

describe("a text of JSON", () => {
  it("that a value gave is exact", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(isExact(JSON.stringify(value))).toBe(true);
      }),
    );
  });

  it.each([
    '{"a":"b:1","c\\":":{"a":1.5e3}}',
    '["a", "b"]',
    "9007199254740991",
    "0.1",
    '"12345678901234567890"',
  ])("is exact: %s", (text) => expect(isExact(text)).toBe(true));

  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '[{"b":{"a":1 , "a" : 1}}]',
    "12345678901234567890",
    "[9007199254740993]",
    "0.12345678901234567890",
    "1e-400",
    '{"a":-0}',
  ])("is not: %s", (text) => expect(isExact(text)).toBe(false));
});
