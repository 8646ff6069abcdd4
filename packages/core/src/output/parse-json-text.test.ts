import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../contracts/json.ts";
import { parseJsonText } from "./parse-json-text.ts";

const value = fc.dictionary(fc.string(), fc.jsonValue());

describe("JSON in a model's text", () => {
  it("is read whole whatever stands around it", () => {
    const around = fc.constantFrom(
      (text: string) => text,
      (text: string) => `\`\`\`json\n${text}\n\`\`\``,
      (text: string) => `Here it is: ${text} That is all.`,
      (text: string) => `<think>maybe {"a": 1}</think>${text}`,
      (text: string) => `${text}\n${text}`,
    );
    fc.assert(
      fc.property(value, around, (data, wrap) => {
        const text = JSON.stringify(data);
        expect(parseJsonText(wrap(text))).toMatchObject({
          ok: true,
          value: JSON.parse(text) as Json,
        });
      }),
    );
  });

  it("never throws, whatever the text", () => {
    const text = fc.string({
      unit: fc.constantFrom("{", "}", "[", "]", '"', "\\", ",", ":", "a", " "),
    });
    fc.assert(fc.property(text, (any) => void parseJsonText(any)));
  });

  it.each([
    ["", "empty"],
    ["four", "no-json"],
    ['{"a": 1', "truncated"],
    ['{"a": 1}{"a": 2}', "ambiguous"],
    ["null", "no-json"],
  ])("%j is refused as %s", (text, code) => {
    expect(parseJsonText(text)).toMatchObject({ ok: false, code });
  });

  it("is mended where its syntax leaves no doubt, and that is told", () => {
    expect(parseJsonText("{'count': 4,}")).toEqual({
      ok: true,
      value: { count: 4 },
      repairs: ["mended the JSON's syntax"],
    });
  });
});
