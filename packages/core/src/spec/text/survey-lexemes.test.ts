import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { surveyLexemes } from "./survey-lexemes.ts";
import { lexYaml, tokenizeYaml } from "./yaml-tokens.ts";
import { findYamlTraps } from "./yaml-traps.ts";

const part = fc.constantFrom(
  "a",
  "a: ",
  "- ",
  "\n",
  "  ",
  "{",
  "}",
  "[",
  "]",
  ", ",
  "!",
  "!x",
  "&a ",
  "*a",
  "|\n",
  ">\n",
  "'",
  '"',
  "$",
  "{{ y }}",
  "# c",
  "? ",
  "%YAML 1.1\n",
  "\u00a0",
  "\uff1a",
  "b",
);

describe("a survey of lexemes", () => {
  it("misses no trap and no anchor", () => {
    const property = fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const text = parts.join("");
      const lexemes = lexYaml(text);
      const tokens = tokenizeYaml(lexemes);
      const { mayHoldTraps, hasAnchors } = surveyLexemes(lexemes);
      const isAnchored = tokens.some(({ type }) => type === "anchor" || type === "alias");
      expect(mayHoldTraps || findYamlTraps(text, tokens).length === 0).toBe(true);
      expect(hasAnchors || !isAnchored).toBe(true);
    });
    fc.assert(property, { numRuns: 3_000 });
  });

  it.each(["[".repeat(65), "- ".repeat(65), "{a: ".repeat(65)])("sees %s as deep", (text) => {
    expect(surveyLexemes(lexYaml(text)).mayHoldTraps).toBe(true);
  });

  it("sees nothing in a plain text with templates and conditions in quotes", () => {
    const text = "a: { when: '!x && y', b: \"{{ inputs.a }} ${env:X} *\" }\nb: [1, 2]\n";
    expect(surveyLexemes(lexYaml(text))).toEqual({ hasAnchors: false, mayHoldTraps: false });
  });
});
