import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../contracts/json.ts";
import { describeMisfits } from "./misfit-words.ts";
import { misfits, schemaFault } from "./json-validator.ts";

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

describe("a schema", () => {
  const draft2020 = "https://json-schema.org/draft/2020-12/schema";

  it("may say which draft it is of, again and again", () => {
    const tuple = {
      $schema: draft2020,
      type: "array",
      prefixItems: [{ type: "string" }],
      minItems: 1,
      items: false,
    };
    for (const round of [1, 2]) {
      expect(schemaFault(tuple), `time ${round}`).toBeUndefined();
      expect(misfits(["a"], tuple)).toEqual([]);
      expect(misfits([1], tuple)).not.toEqual([]);
    }
    const older = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "array",
      items: [{ type: "string" }],
      minItems: 1,
      additionalItems: false,
    };
    expect(schemaFault(older)).toBeUndefined();
    expect(misfits([1], older)).not.toEqual([]);
  });

  it("of a draft that is not read says which are", () => {
    const old = { $schema: "http://json-schema.org/draft-04/schema#", type: "string" };
    for (const round of [1, 2])
      expect(schemaFault(old), `time ${round}`).toContain("2020-12 and draft-07 are read");
  });

  it("may go by the `$id` of another one", () => {
    const [first, second] = ["string", "number"].map((type) => ({
      $id: "https://a.example/x",
      type,
    }));
    expect(misfits("a", first ?? {})).toEqual([]);
    expect(misfits(1, second ?? {})).toEqual([]);
  });

  it("may be true or false", () => {
    const [all, none] = [true, false] as unknown as readonly JsonSchema[];
    expect(misfits(1, all ?? {})).toEqual([]);
    expect(misfits(1, none ?? {})).not.toEqual([]);
  });

  it.each([
    ["date", "2026-11-30", "30.11.2026"],
    ["email", "a@b.example", "a b"],
    ["uri", "https://a.example/x", "no uri"],
  ])("holds a text to the format %s", (format, fits, other) => {
    const schema = { type: "string", format };
    expect(misfits(fits, schema)).toEqual([]);
    expect(misfits(other, schema)).not.toEqual([]);
  });

  it("with a format that nobody knows is refused", () => {
    expect(schemaFault({ type: "string", format: "dat" })).toContain("dat");
  });
});

describe("a list of unique items", () => {
  const unique = { type: "array", uniqueItems: true };

  it.each([
    [[1, "1", true, "true", null, "null", [1], { a: 1 }, {}]],
    [
      [
        { a: 1, b: 2 },
        { a: 2, b: 1 },
      ],
    ],
    [[[1, 2], [2, 1], ["1,2"]]],
    [JSON.parse('[{"toString":"a"},{"toString":"b"}]')],
  ])("holds no two that are equal: %j", (items) => {
    expect(misfits(items, unique)).toEqual([]);
  });

  it.each([
    [[1, 2, 1.0], "0 and 2"],
    [[{ a: [{ b: 1, c: 2 }] }, 1, { a: [{ c: 2, b: 1 }] }], "0 and 2"],
    [JSON.parse('[{"toString":"a"},{"toString":"a"}]'), "0 and 1"],
  ])("says which are: %j", (items, which) => {
    expect(describeMisfits(misfits(items, unique))).toContain(
      `must NOT have duplicate items (items ## ${which} are identical)`,
    );
  });

  it("is not looked through once for each item", () => {
    let reads = 0;
    const items = Array.from({ length: 2_000 }, (_, index) =>
      Object.defineProperty({}, "id", {
        enumerable: true,
        get: () => {
          reads += 1;
          return index;
        },
      }),
    );
    expect(misfits(items, unique)).toEqual([]);
    expect(reads).toBeLessThan(10_000);
  });
});

describe("values that are compared with each other", () => {
  it.each([
    ["with a constant", { const: [{ toString: "b" }, { toString: "b" }] }],
    ["with a list of choices", { enum: [[{ toString: "b" }, { toString: "b" }]] }],
  ])("throw nothing for a field called like a method: %s", (_name, schema) => {
    const value = JSON.parse('[{"toString":"a"},{"toString":"a"}]') as unknown;
    expect(misfits(value, schema)).toEqual([
      { path: "", message: expect.stringContaining("`toString`") as string },
    ]);
  });
});
