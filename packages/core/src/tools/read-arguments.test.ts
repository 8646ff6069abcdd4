import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArguments } from "./read-arguments.ts";

const schema = {
  type: "object",
  properties: { item: { type: "string" }, count: { type: "integer" } },
  required: ["item"],
  additionalProperties: false,
} as const;

describe("the arguments of a tool call", () => {
  it("are read where they are one object that fits", () => {
    expect(readArguments(' {"item":"nut"} ', schema)).toEqual({ ok: true, input: { item: "nut" } });
  });

  // openai-agents-js#887, TanStack/ai#1131, langchainjs#11154, verifiers#1763, vercel/ai#13657
  it.each(['{"a":', "null", "[1]", '"x"', '{"item":"a"}{"item":"b"}', "true", "4"])(
    "%s is no object, and the shape that is wanted is shown",
    (text) => {
      expect(readArguments(text, schema)).toMatchObject({
        ok: false,
        message: expect.stringContaining('{"item":"string","count":"integer"}') as string,
      });
    },
  );

  it.each([
    ["{}", "lacks `item`"],
    ["", "lacks `item`"],
    ['{"item":4}', "`item` is 4, not string"],
    ['{"item":"a","count":1.5}', "`count` is 1.5, not integer"],
    ['{"item":"a","colour":"red"}', "has `colour`, which is not one of its fields"],
  ])("%j does not fit, with path and reason", (text, reason) => {
    expect(readArguments(text, schema)).toMatchObject({
      ok: false,
      message: expect.stringContaining(reason) as string,
    });
  });

  it("never throw and never pass unfit, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const read = readArguments(text, schema);
        expect(read.ok && typeof read.input["item"] !== "string").toBe(false);
      }),
    );
  });

  it("reach no prototype", () => {
    const open = { type: "object" } as const;
    expect(readArguments('{"__proto__":{"item":"nut"}}', open).ok).toBe(false);
    expect(readArguments('{"item":"a","constructor":{}}', schema).ok).toBe(false);
  });
});
