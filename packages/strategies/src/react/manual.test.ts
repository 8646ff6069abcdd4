import type { ToolDescription } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { loneText, manualsOf } from "./manual.ts";

function toolOf(input: ToolDescription["input"]): ToolDescription {
  return { name: "find", description: "Finds things.\nNot people.", input };
}

const text = { type: "string" } as const;

describe("the manual of a tool", () => {
  it("holds its name, its purpose on one line, and each argument", () => {
    const input = {
      type: "object",
      properties: {
        query: { type: "string", description: "what to look for" },
        count: { type: "integer" },
        order: { enum: ["up", "down"], description: "of the results" },
        where: { type: "array", items: text },
      },
      required: ["query"],
    };
    expect(manualsOf([toolOf(input)])).toBe(
      [
        "- find: Finds things. Not people.",
        '    "query": string (what to look for)',
        '    "count"?: integer',
        '    "order"?: "up" | "down" (of the results)',
        '    "where"?: {"type":"array","items":{"type":"string"}}',
      ].join("\n"),
    );
  });

  it("writes down what is said in another way than by properties, cut where it is long", () => {
    const input = { type: "object", oneOf: [{ required: ["a".repeat(400)] }] };
    const [, line] = manualsOf([toolOf(input)]).split("\n");
    expect(line).toMatch(/^ {4}\{"type":"object","oneOf".{200,300}…$/);
    expect(manualsOf([toolOf({ type: "object", properties: {} })])).not.toContain("{");
  });
});

describe("the only text of a tool", () => {
  it.each([
    ["the only argument", { properties: { query: text } }, "query"],
    [
      "the only one needed",
      { properties: { query: text, count: text }, required: ["count"] },
      "count",
    ],
    ["one of several", { properties: { query: text, count: text } }, undefined],
    ["two that are needed", { properties: { a: text, b: text }, required: ["a", "b"] }, undefined],
    ["a number", { properties: { count: { type: "integer" } } }, undefined],
    ["none", {}, undefined],
  ])("is known from %s", (_name, input, name) => {
    expect(loneText(toolOf(input))).toBe(name);
  });
});
