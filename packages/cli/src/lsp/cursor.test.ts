import { describe, expect, it } from "vitest";
import { cursorAt } from "./cursor.ts";
import { readOutline } from "./outline.ts";

/** The place of the `▮` in a text: the kind of place, its path, what is replaced. */
function at(marked: string): string {
  const offset = marked.indexOf("▮");
  const text = marked.replace("▮", "");
  const { place, steps, from, to } = cursorAt(text, readOutline(text), offset);
  const path = steps.map((step) => ("index" in step ? `[${step.index}]` : `.${step.key}`)).join("");
  return `${place} ${path} ${JSON.stringify(text.slice(from, to))}`;
}

describe("the cursor", () => {
  const places: readonly (readonly [name: string, text: string, found: string])[] = [
    ["an empty text", "▮", 'key  ""'],
    ["the first word", "apiV▮", 'key  "apiV"'],
    ["a key of the spec", "name: x\nmod▮", 'key  "mod"'],
    ["a key that has its value", "name: x\nmo▮del: y\n", 'key  "model"'],
    ["an empty line at the left", "name: x\n▮\nmodel: y\n", 'key  ""'],
    ["an empty line below a key", "name: x\nlimits:\n  ▮\n", 'either .limits ""'],
    ["an empty line in a map", "limits:\n  usd: 1\n  ▮\n", 'key .limits ""'],
    ["a word below a key", "limits:\n  us▮\n", 'either .limits "us"'],
    ["a value", "model: oll▮\n", 'value .model "oll"'],
    ["a value that is not begun", "model: ▮\n", 'value .model ""'],
    ["a quoted value", 'version: "1.▮"\n', 'value .version "1."'],
    ["a stage that is one word", "strategy: dir▮\n", 'value .strategy "dir"'],
    ["a dash", "strategy:\n  - ▮\n", 'either .strategy[0] ""'],
    [
      "a key behind a dash, without its value",
      "strategy:\n  - react: ▮\n",
      'value .strategy[0].react ""',
    ],
    ["a word behind a dash", "strategy:\n  - plan\n  - rea▮\n", 'either .strategy[1] "rea"'],
    ["options of a stage", "strategy:\n  - react:\n      ▮\n", 'either .strategy[0].react ""'],
    [
      "further options of a stage",
      "strategy:\n  - react:\n      maxSteps: 6\n      ma▮\n",
      'key .strategy[0].react "ma"',
    ],
    ["braces", "strategy:\n  - react: { ▮ }\n", 'key .strategy[0].react ""'],
    ["a word in braces", "strategy:\n  - react: { maxS▮ }\n", 'key .strategy[0].react "maxS"'],
    ["braces that are not closed", "a:\n  - b: { c: d, e▮\nf: g\n", 'key .a[0].b "e"'],
    ["a value in braces", "a: { b: ▮ }\n", 'value .a.b ""'],
    ["a value in braces, begun", "a: { b: c▮, d: e }\n", 'value .a.b "c"'],
    ["brackets", "a: { b: [c, ▮] }\n", 'value .a.b[1] ""'],
    [
      "a stage inside a stage",
      "strategy:\n  - loop:\n      do:\n        - verify: { revise: re▮ }\n",
      'value .strategy[0].loop.do[0].verify.revise "re"',
    ],
    ["a comment", "model: x # ▮\n", 'none  ""'],
    ["a line of comment", "model: x\n# ▮\n", 'none  ""'],
    ["the line after a list", "strategy:\n  - plan\n  - react: { maxSteps: 6 }\n▮", 'key  ""'],
    [
      "the middle of a list's options",
      "s:\n  - r:\n      a: 1\n      ▮\n  - v\n",
      'key .s[0].r ""',
    ],
  ];
  for (const [name, text, found] of places) {
    it(`knows ${name}`, () => {
      expect(at(text)).toBe(found);
    });
  }
});
