import type { Json, JsonObject, Program } from "@loopwright/core";
import { describe, expect, test } from "vitest";
import { typeRow } from "./type-row.ts";

type Fields = Program["inputs"]["fields"];

const fields: Fields = {
  code: { schema: { type: "string" }, optional: false, default: "" },
  size: { schema: { type: "number" }, optional: false, default: 0 },
  count: { schema: { type: ["integer", "null"] }, optional: true },
  isNew: { schema: { type: "boolean" }, optional: false, default: false },
  tags: { schema: { type: "array" }, optional: false, default: [] },
};

const typed = (values: JsonObject, isText = true): Json | string => {
  const row = typeRow(fields, values, isText);
  return row.ok ? row.inputs : row.message;
};

describe("text of a CSV file", () => {
  test.each([
    [{ code: "007" }, { code: "007" }],
    [
      { size: "1.5", count: " 12 " },
      { size: 1.5, count: 12 },
    ],
    [{ isNew: "TRUE" }, { isNew: true }],
    [{ tags: '["a"]' }, { tags: ["a"] }],
    [{ code: "", size: "", count: "", other: "x" }, {}],
  ])("is read by the declared type: %j", (values, inputs) => {
    expect(typed(values)).toEqual(inputs);
  });

  test.each([
    [{ size: "1,5" }, 'the column `size` holds "1,5", which is no number'],
    [{ size: "007" }, 'the column `size` holds "007", which is no number'],
    [{ isNew: "yes" }, 'the column `isNew` holds "yes", which is no boolean'],
    [{ tags: "a,b" }, 'the column `tags` holds "a,b", which is no array'],
  ])("that is of no such type makes a bad row: %j", (values, message) => {
    expect(typed(values)).toBe(message);
  });
});

test.each([
  "9007199254740993",
  "9007199254740993.0",
  "9007199254740993e0",
  "12345678901234567890.5",
  "1e400",
])("a number that loses something makes a bad row: %s", (text) => {
  for (const name of ["count", "size"])
    expect(typed({ [name]: text })).toBe(
      `the column \`${name}\` holds ${text}, beyond what a number holds exactly`,
    );
});

describe("values of JSON Lines and Parquet", () => {
  test("keep their type", () => {
    const values = { code: "1", size: 2, count: null, isNew: true };
    expect(typed(values, false)).toEqual({ code: "1", size: 2, isNew: true });
  });

  test("are not read out of text", () => {
    expect(typed({ size: "2" }, false)).toBe(
      'the column `size` is the text "2", and the spec wants number',
    );
  });
});

test("a value that is missing and has no default makes a bad row", () => {
  const needed: Fields = { code: { schema: { type: "string" }, optional: false } };
  for (const code of ["", null])
    expect(typeRow(needed, { code }, true)).toEqual({
      ok: false,
      message: "the column `code` is empty",
    });
});
