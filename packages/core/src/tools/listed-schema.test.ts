import { describe, expect, it } from "vitest";
import { misfits } from "../validation/json-validator.ts";
import { readListedSchema } from "./listed-schema.ts";

describe("a schema that a source outside lists", () => {
  it("is read in its draft, with what the draft does not know", () => {
    const read = readListedSchema({
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: {
        pair: { type: "array", items: [{ type: "string" }, { type: "number" }] },
        size: { type: "integer", format: "uint32", "x-order": 2 },
      },
      required: ["pair", "other"],
      nullable: true,
    });
    if (!read.ok) throw new Error(read.reason);
    expect(misfits({ pair: ["a", 1], size: 3, other: 1 }, read.schema)).toEqual([]);
    expect(misfits({ pair: [1, 1], other: 1 }, read.schema)).toHaveLength(1);
  });

  it("hides nothing in its descriptions, and is a copy", () => {
    const given = {
      type: "object",
      description: "Plain\u001b[2J\u202e.",
      properties: { description: { type: "string", title: "\u200bA" } },
    };
    expect(readListedSchema(given)).toEqual({
      ok: true,
      schema: {
        type: "object",
        description: "Plain[2J.",
        properties: { description: { type: "string", title: "A" } },
      },
    });
    expect(given.description).toContain("\u202e");
  });

  it("is one object wherever it says the same", () => {
    const [first, second] = [1, 2].map(() => readListedSchema({ type: "object", title: "same" }));
    expect(first).toBe(second);
  });

  it.each([
    ["no object", "text", /no object/],
    ["a list", [], /no object/],
    ["a wrong type", { type: "nope" }, /type/],
    ["a broken pattern", { type: "string", pattern: "(" }, /./],
    [
      "a reference to nothing",
      { $ref: "https://example.com/other.json" },
      /can't resolve reference/,
    ],
    ["an unknown draft", { $schema: "http://json-schema.org/draft-04/schema#" }, /draft-04/],
    ["something that JSON can't hold", { type: "object", default: 1n }, /plain JSON/],
    ["too much", { type: "object", description: "x".repeat(70_000) }, /longer than 60000/],
    ["too deep a nest", nested(70), /deeper than 64/],
    ["a nest without end", nested(20_000), /plain JSON|longer|deeper/],
  ])("is refused where it is %s", (_, given, reason) => {
    const read = readListedSchema(given);
    expect(read.ok ? "" : read.reason).toMatch(reason);
  });
});

function nested(depth: number): unknown {
  let schema: Record<string, unknown> = { type: "object" };
  for (let level = 0; level < depth; level++) schema = { not: schema };
  return schema;
}
