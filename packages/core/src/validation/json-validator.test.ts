import { describe, expect, it } from "vitest";
import { describeMisfits, misfits } from "./json-validator.ts";

it("names the values that a missing field may have", () => {
  const schema = {
    type: "object",
    properties: { case: { type: "string", enum: ["refund", "reply"] } },
    required: ["case"],
  };
  expect(describeMisfits(misfits({}, schema))).toBe(
    'the value lacks `case`, one of "refund", "reply"',
  );
});

describe("a pattern", () => {
  const fits = (text: string, schema: object): string =>
    describeMisfits(misfits(text, { ...schema }));

  it("is matched with a long text where that takes little time", () => {
    expect(fits("a".repeat(500_000), { type: "string", pattern: "^[a-z]+$" })).toBe("");
    expect(fits("a".repeat(9_000), { type: "string", pattern: "[a-z]+$" })).toBe("");
  });

  it("is not matched with a text that could take very long, and that is a misfit", () => {
    const steep = "[a-z]+[0-9]";
    const said =
      "the value holds a text of 200000 characters, and the pattern [a-z]+[0-9] is matched with at most 10000";
    const text = "a".repeat(200_000);
    expect(fits(text, { type: "string", pattern: steep })).toBe(said);
    expect(fits(text, { type: "string", not: { type: "string", pattern: steep } })).toBe(said);
    expect(fits("a".repeat(1_000_001), { type: "string", pattern: "^a*$" })).toContain(
      "at most 1000000",
    );
    expect(fits("a1", { type: "string", pattern: steep })).toBe("");
  });
});
