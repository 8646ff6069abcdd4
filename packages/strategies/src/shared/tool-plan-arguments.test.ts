import type { JsonSchema } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { filledArguments, plainArguments } from "./tool-plan-arguments.ts";

type Texts = Readonly<Record<string, string>>;

/** What an argument becomes that is written as `value`, where the tool's schema says `schema` of it. */
function filled(value: string, schema: JsonSchema | undefined, texts: Texts = {}, maxChars = 100) {
  const input = { type: "object", properties: schema === undefined ? {} : { it: schema } };
  const known = { input, textOf: (id: string) => texts[id] ?? "", maxChars };
  const text = filledArguments({ arguments: [{ name: "it", value }] }, known);
  return (JSON.parse(text) as { readonly it: unknown }).it;
}

const STRING = { type: "string" };
const LIST = { type: "array" };
const ANY = {};

describe("arguments", () => {
  it("have each reference replaced once: what was found is not read again", () => {
    expect(filled("#E1 #E12", STRING, { E1: "#E12", E12: "twelve" })).toBe("#E12 twelve");
    expect(filled("#E1E1E1", STRING, { E1: "x" })).toBe("#E1E1E1");
  });

  it("are filled inside lists and objects, and no quote breaks them", () => {
    expect(filled('["#E1", {"a": "x #E1"}, 3]', LIST, { E1: 'say "hi"\\' })).toEqual([
      'say "hi"\\',
      { a: 'x say "hi"\\' },
      3,
    ]);
  });

  it.each([
    ["[1] see the note", STRING, "[1] see the note"],
    ["[1] see the note", LIST, "[1] see the note"],
    ["[1, 2]", STRING, "[1, 2]"],
    ["[1, 2]", undefined, "[1, 2]"],
    ["[1, 2]", LIST, [1, 2]],
    ["[1, 2,]", LIST, "[1, 2,]"],
    ["{name}", { type: "object" }, "{name}"],
    ["[1]", { type: "object" }, "[1]"],
    ["[1]", { type: ["string", "array"] }, "[1]"],
    ["[1]", { anyOf: [LIST, { type: "null" }] }, [1]],
    ["null", { anyOf: [LIST, { type: "null" }] }, null],
    ["[1]", ANY, [1]],
    ["5", ANY, "5"],
    ["5", { type: "integer" }, 5],
    ["05", { type: "integer" }, "05"],
    ["12345678901234567890", { type: "integer" }, "12345678901234567890"],
    ["true", { type: "boolean" }, true],
    ["true", STRING, "true"],
    ["5", { enum: ["5", "6"] }, "5"],
    ["5", { enum: [5, 6] }, 5],
  ] as const)("%j where the tool wants %j is %j", (value, schema, expected) => {
    expect(filled(value, schema as JsonSchema | undefined)).toEqual(expected);
  });

  it("are read by what a reference inside the schema names", () => {
    const input = { properties: { it: { $ref: "#/$defs/list" } }, $defs: { list: LIST } };
    const call = { arguments: [{ name: "it", value: "[1]" }] };
    expect(plainArguments(call, input)).toBe('{"it":[1]}');
    const round = { properties: { it: { $ref: "#/properties/it" } } };
    expect(plainArguments(call, round)).toBe('{"it":[1]}');
  });

  it("are cut without cutting a character in two", () => {
    expect(filled("#E1!", STRING, { E1: "ab😀" }, 3)).toBe("ab!");
    expect(filled("#E1!", STRING, { E1: "ab😀" }, 4)).toBe("ab😀!");
  });

  it("stay as they are where nothing refers", () => {
    const call = { arguments: [{ name: "it", value: "#E7 of [1]" }] };
    expect(plainArguments(call, { properties: { it: STRING } })).toBe('{"it":"#E7 of [1]"}');
  });
});
