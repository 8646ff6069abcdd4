import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../contracts/json.ts";
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

function schemaOf(given: unknown): JsonSchema {
  const read = readListedSchema(given);
  if (!read.ok) throw new Error(read.reason);
  return read.schema;
}

describe("a pattern from outside that could take unbounded time", () => {
  const slow = "^(a+)+$";
  const text = `${"a".repeat(60)}!`;

  it.each([
    slow,
    "^(a|a)*$",
    "(x+x+)+y",
    "^(a?){40}a{40}$",
    "^(a*)\\1*b$",
    `${"a?".repeat(30)}${"a".repeat(30)}`,
  ])("is not matched, and told: %s", (pattern) => {
    const read = readListedSchema({
      type: "object",
      properties: { a: { type: "string", pattern }, b: { type: "number" } },
    });
    expect(read).toMatchObject({ ok: true, unchecked: [pattern] });
    if (!read.ok) return;
    expect(misfits({ a: text, b: 1 }, read.schema)).toEqual([]);
    expect(misfits({ a: text, b: "1" }, read.schema)).toHaveLength(1);
  });

  it.each([
    ["in `not`", { not: { properties: { a: { type: "string", pattern: slow } } } }],
    ["in `oneOf`", { oneOf: [{ pattern: slow }, { type: "object" }] }],
    ["in what `not` refers to", { $defs: { a: { pattern: slow } }, not: { $ref: "#/$defs/a" } }],
    ["among names of fields", { patternProperties: { [slow]: { type: "number" } } }],
  ])("makes the schema useless %s", (_, part) => {
    const read = readListedSchema({ type: "object", ...part });
    expect(read.ok ? "" : read.reason).toContain("its pattern `^(a+)+$` can take unbounded time");
  });

  it.each(["^[a-z]+$", "^(?=.*[A-Z])(?!.*x).{8,}$", "^[^@]+@[^@]+$", "^a\\(?=b$"])(
    "is matched where its time is bounded: %s",
    (pattern) => {
      const read = readListedSchema({ type: "string", pattern });
      expect(read).toEqual({ ok: true, schema: { type: "string", pattern } });
      expect(misfits("?", read.ok ? read.schema : {})).toHaveLength(1);
    },
  );

  it("is matched with shorter texts the steeper it is", () => {
    const schema = schemaOf({ type: "string", pattern: "^.*a.*b.*c$" });
    expect(misfits(`${"a".repeat(450)}bc`, schema)).toEqual([]);
    expect(misfits("a".repeat(500), schema)).toEqual([
      { path: "", message: expect.stringContaining("at most 464") as string },
    ]);
  });
});

describe("references of a schema from outside", () => {
  const both = (name: string) => ({ allOf: [{ $ref: name }, { $ref: name }] });
  const steps = "takes too many steps to check";

  it("are not followed without end where each leads to two more", () => {
    const parts = Array.from({ length: 40 }, (_, index) => [
      `a${index}`,
      both(`#/$defs/a${index + 1}`),
    ]);
    const $defs = { ...Object.fromEntries(parts), a40: { type: "object" } };
    const schema = schemaOf({ type: "object", $defs, ...both("#/$defs/a0") });
    expect(misfits({}, schema)[0]?.message).toContain(steps);
  });

  it.each([{ $ref: "#/$defs/a" }, { $recursiveRef: "#" }])(
    "are not either where the value goes on as deep: %j",
    (again) => {
      const properties = { next: { allOf: [again, again] } };
      const schema = schemaOf({ $defs: { a: { properties } }, type: "object", properties });
      let value = {};
      for (let depth = 0; depth < 60; depth++) value = { next: value };
      expect(misfits(value, schema)[0]?.message).toContain(steps);
    },
  );

  it("may lead back to where they stand", () => {
    const schema = schemaOf({
      type: "object",
      $defs: { a: { $ref: "#/$defs/a" } },
      $ref: "#/$defs/a",
    });
    expect(misfits({}, schema)).toHaveLength(1);
  });

  it("may describe large trees", () => {
    const schema = schemaOf({
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
    });
    const leaves = Array.from({ length: 200 }, (_, index) => ({ name: `${index}` }));
    const tree = { children: leaves.map(() => ({ children: leaves })) };
    expect(misfits(tree, schema)).toEqual([]);
    const wrong = { children: [...tree.children, { name: 1 }] };
    expect(misfits(wrong, schema)).toHaveLength(1);
  });

  it("are not seen in what is offered, nor written out as often as they stand", () => {
    const long = { type: "object", description: "x".repeat(1_900), required: [] };
    const given = {
      type: "object",
      $defs: { long },
      allOf: Array.from({ length: 1_000 }, () => ({ $ref: "#/$defs/long" })),
    };
    expect(schemaOf(given)).toEqual(given);
  });

  it("with a value that is nested too deep can't be followed, and that is said", () => {
    const schema = schemaOf({ type: "object", additionalProperties: { $ref: "#" } });
    let value = {};
    for (let depth = 0; depth < 200_000; depth++) value = { a: value };
    expect(misfits(value, schema)[0]?.message).toMatch(/nested too deep|too many steps/u);
  });
});

function nested(depth: number): unknown {
  let schema: Record<string, unknown> = { type: "object" };
  for (let level = 0; level < depth; level++) schema = { not: schema };
  return schema;
}
