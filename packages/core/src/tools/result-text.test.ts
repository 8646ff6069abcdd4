import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../contracts/tool.ts";
import { cutText, formatOutput, outputText } from "./result-text.ts";

describe("the text of an output", () => {
  it.each([
    ["as it is", "as it is"],
    ["  ", "no result"],
    [undefined, "no result"],
    [null, "no result"],
    [[], "no result"],
    [{}, "no result"],
    [0, "0"],
    [false, "false"],
    [{ found: true, eta: "in 3 days, at noon" }, "found: true\neta: in 3 days, at noon"],
    [{ id: "007", none: null, empty: "" }, 'id: "007"\nnone: null\nempty: ""'],
    [{ note: "two\nlines", word: "true" }, 'note: "two\\nlines"\nword: "true"'],
    [
      [
        { id: "A1", city: "Bonn, Rhine" },
        { id: "B2", city: "Ulm" },
      ],
      '- id: A1, city: "Bonn, Rhine"\n- id: B2, city: Ulm',
    ],
    [{ items: [{ id: 1 }] }, '{"items":[{"id":1}]}'],
    [[1, 2], "[1,2]"],
    [[{ a: 1 }, 2], '[{"a":1},2]'],
    [{ "a: b": 1 }, '{"a: b":1}'],
  ])("%j", (output, text) => {
    expect(outputText(output)).toBe(text);
  });

  it("is what the tool's own words say", () => {
    const own = (format: (output: never) => unknown): ToolDefinition =>
      ({ id: "weather", format }) as unknown as ToolDefinition;
    const dry = own(({ degrees }: { readonly degrees: number }) => `${degrees} degrees, dry`);
    expect(formatOutput(dry, { degrees: 4 })).toBe("4 degrees, dry");
    expect(
      formatOutput(
        own(() => " "),
        {},
      ),
    ).toBe("no result");
    expect(() =>
      formatOutput(
        own(() => 4),
        {},
      ),
    ).toThrow(/`format` of weather gives no text/);
    const broken = own(() => {
      throw new Error("no such field");
    });
    expect(() => formatOutput(broken, {})).toThrow(/`format` of weather failed: no such field/);
  });
});

describe("a text that is cut", () => {
  it("ends with a whole sentence where one ends near", () => {
    const text = `${"a".repeat(85)}. The rest of it goes on.`;
    expect(cutText(text, 100)).toBe(`${"a".repeat(85)}.\n[cut: 86 of 110 characters shown]`);
    const chinese = `${"字".repeat(90)}。${"字".repeat(30)}`;
    expect(cutText(chinese, 100)).toBe(`${"字".repeat(90)}。\n[cut: 91 of 121 characters shown]`);
  });

  it("ends with a whole line where one ends near", () => {
    const text = `${"a".repeat(90)}\n${"b".repeat(90)}`;
    expect(cutText(text, 100)).toBe(`${"a".repeat(90)}\n[cut: 90 of 181 characters shown]`);
  });

  it("ends where it must where none does, never inside a character", () => {
    expect(cutText("a. ".concat("b".repeat(200)), 100)).toBe(
      `a. ${"b".repeat(97)}\n[cut: 100 of 203 characters shown]`,
    );
    expect(cutText("1.5".repeat(40), 100)).toContain("[cut: 100 of 120");
    expect(cutText(`${"x".repeat(99)}😀😀`, 100)).toBe(
      `${"x".repeat(99)}\n[cut: 100 of 103 characters shown]`,
    );
    expect(cutText("short", 100)).toBe("short");
  });
});
