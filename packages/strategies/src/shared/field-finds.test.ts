import { describe, expect, it } from "vitest";
import {
  askedOf,
  fieldsOf,
  findFields,
  heardOf,
  missingSchema,
  problemsOf,
} from "./field-finds.ts";

const output = {
  type: "object",
  properties: {
    id: { type: "string" },
    total: { type: "number" },
    kind: { type: "string", enum: ["invoice", "order"] },
    tags: { type: "array", items: { type: "string" } },
    note: { type: "string" },
  },
  required: ["id", "total", "kind", "tags"],
};

/** What one pattern finds for one field. */
function found(name: string, pattern: string, text: string) {
  const finds = findFields(text, fieldsOf({ [name]: pattern }, output));
  return finds.find((find) => find.name === name);
}

describe("fields found by patterns", () => {
  it("have the type of the output, the first group that took part or the whole match", () => {
    expect(found("id", "A\\d+|no (\\d+)", "no 7")).toMatchObject({ source: "pattern", value: "7" });
    expect(found("total", "\\d+\\.\\d\\d", "12.50 EUR")).toMatchObject({ value: 12.5 });
    expect(found("kind", "\\w+$", "an order")).toMatchObject({ value: "order" });
    expect(found("tags", "#\\w+", "#a #b #a")).toMatchObject({ value: ["#a", "#b", "#a"] });
  });

  it("are open without a match, with two that differ, or with one of another type", () => {
    expect(found("id", "B\\d+", "A1")).toMatchObject({ source: "none", candidates: [] });
    expect(found("id", "A\\d+", "A1 A2")).toMatchObject({
      source: "none",
      candidates: ["A1", "A2"],
    });
    expect(found("id", "A\\d+", "A1\nA1")).toMatchObject({ source: "pattern", value: "A1" });
    expect(found("total", "\\S+ EUR", "12 EUR")).toMatchObject({ source: "none" });
    expect(found("kind", "\\w+$", "a letter")).toMatchObject({ candidates: ["letter"] });
  });

  it("stand within a line", () => {
    expect(found("id", "A\\s\\d", "A\n1")).toMatchObject({ source: "none" });
    expect(found("id", "^A\\d$", "x\r\nA1\r\ny")).toMatchObject({ value: "A1" });
  });

  it("of a list are all of them in the order of the text, one for each place", () => {
    const tags = fieldsOf({ tags: ["b\\d", "[ab]\\d", "\\d"] }, output).find(
      ({ name }) => name === "tags",
    );
    expect(findFields("a1 b2, then a1 and 3", [tags!])).toMatchObject([
      { source: "pattern", value: ["a1", "b2", "a1", "3"] },
    ]);
  });

  it("are shown to the model with words about them where they differ, a few and not too long", () => {
    const { candidates, ...open } = found("id", "[A-Z]+", "A B C D E F")!;
    expect(candidates).toHaveLength(6);
    const lines = askedOf("en", [{ ...open, candidates }]);
    expect(lines).toBe(
      '- id (patterns fit these words of the text, of which one may be meant, or none: "A" / "B" / "C" / "D" / "E")',
    );
    expect(askedOf("zh", [{ ...open, candidates: ["A"] }])).toContain("也可能都不对");
    expect(askedOf("en", [{ ...open, candidates: ["x".repeat(900)] }]).length).toBeLessThan(400);
  });

  it("are those of the output, required or not, or texts by the names of the patterns", () => {
    expect(fieldsOf({}, output).filter(({ isOptional }) => isOptional)).toMatchObject([
      { name: "note" },
    ]);
    expect(fieldsOf({ day: ["a", "b"] }, undefined)).toEqual([
      { name: "day", schema: { type: "string" }, isOptional: false, patterns: ["a", "b"] },
    ]);
  });
});

describe("fields found by a model", () => {
  const [id, total] = findFields("", fieldsOf({}, output));

  it("are asked for with their own schema or null, and a quote", () => {
    expect(missingSchema([total!])).toMatchObject({
      required: ["total"],
      properties: {
        total: { properties: { value: { anyOf: [{ type: "number" }, { type: "null" }] } } },
      },
    });
  });

  it("are supported by words of the text that hold the value", () => {
    const isQuoted = (said: object, text: string) =>
      heardOf([id!, total!], said as never, text).map((find) => find.isQuoted);
    const text = "Invoice A1\nover 1,299.50 EUR";
    expect(
      isQuoted(
        {
          id: { value: "A1", quote: "Invoice A1 over" },
          total: { value: 1299.5, quote: "1,299.50" },
        },
        text,
      ),
    ).toEqual([true, true]);
    expect(
      isQuoted(
        { id: { value: "A2", quote: "Invoice A1" }, total: { value: 7, quote: "EUR" } },
        text,
      ),
    ).toEqual([false, false]);
    expect(heardOf([id!], { id: { value: null, quote: null } }, text)).toMatchObject([
      { source: "none" },
    ]);
    expect(heardOf([id!], {}, text)).toMatchObject([{ source: "none" }]);
  });
});

describe("patterns that can't be used", () => {
  it("are problems of the option, and so are those of no field", () => {
    expect(problemsOf({ id: ["A\\d+", "(a+)+"] }, output)).toMatchObject([
      { option: "patterns", message: expect.stringContaining("the pattern of `id` repeats") },
    ]);
    expect(problemsOf({ day: "A" }, output)).toMatchObject([
      { message: expect.stringContaining("`day` is no field of the output") },
    ]);
    expect(problemsOf({ day: "A" }, undefined)).toEqual([]);
  });
});
