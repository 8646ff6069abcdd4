import type { Delta } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { TextParts, type TextReading } from "./text-parts.ts";

/** What a text becomes when it comes in pieces of one size, and how it was told. */
function read(text: string, size: number, reading: Partial<TextReading> = {}): object {
  const deltas: Delta[] = [];
  const parts = new TextParts({
    mayThink: true,
    isThinking: true,
    onDelta: (delta) => deltas.push(delta),
    ...reading,
  });
  for (let at = 0; at < text.length; at += size) parts.addText(text.slice(at, at + size));
  const whole = parts.finish();
  const told = (kind: string): string =>
    deltas
      .filter((delta) => delta.kind === kind)
      .map((delta) => delta.text)
      .join("");
  return { ...whole, told: [told("reasoning").trim(), told("text")] };
}

const both = (reasoning: string, text: string): object => ({
  reasoning,
  text,
  told: [reasoning, text],
});

describe("thinking in a text", () => {
  it.each([
    [
      "closed",
      "<think>\nLet me see: 2 < 3.\n</think>\n\nIt is 3.",
      "Let me see: 2 < 3.",
      "It is 3.",
    ],
    ["after blanks", "\n <think>hm</think>yes", "hm", "yes"],
    ["only the closing tag", "Let me see.\n</think>\n\nIt is 3.", "Let me see.", "It is 3."],
    ["a closing tag and nothing before it", "</think>It is 3.", "", "It is 3."],
    ["not closed", "<think>Let me see, and see", "Let me see, and see", ""],
    ["cut in the closing tag", "<think>hm</thi", "hm</thi", ""],
    ["empty", "<think></think>\n{}", "", "{}"],
    ["none", "It is 3.", "", "It is 3."],
    ["a closing tag in code", "Write `</think>` at the end.", "", "Write `</think>` at the end."],
    ["a tag in JSON", '{"a":"x </think> y"}', "", '{"a":"x </think> y"}'],
    ["a tag in JSON, and braces", '[{"a":"\\"} </think> y"}]', "", '[{"a":"\\"} </think> y"}]'],
    [
      "a tag in fenced JSON",
      '```json\n{"a":"</think>"}\n```',
      "",
      '```json\n{"a":"</think>"}\n```',
    ],
    [
      "a thought that begins with a bracket",
      "[User: x] so hm\n</think>Four.",
      "[User: x] so hm",
      "Four.",
    ],
    ["a thought that begins with a brace", "{x} is a set.</think>\n{}", "{x} is a set.", "{}"],
    [
      "a thought that begins with code",
      "`f` takes 2.\n</think>\n```\nf(2)\n```",
      "`f` takes 2.",
      "```\nf(2)\n```",
    ],
    ["the beginning of a tag", "<thi", "", "<thi"],
    ["another tag", "<thing>a</thing>", "", "<thing>a</thing>"],
    ["nothing but blanks", " \n  ", "", ""],
  ])("%s", (_name, text, reasoning, answer) => {
    for (let size = 1; size <= text.length; size++)
      expect(read(text, size)).toEqual(both(reasoning, answer));
  });

  it("is told late where the model is not known to think, and parted rightly in the end", () => {
    const text = "Let me see.\n</think>\nIt is 3.";
    expect(read(text, 3, { isThinking: false })).toMatchObject({
      reasoning: "Let me see.",
      text: "It is 3.",
    });
    expect(read("It is 3.", 3, { isThinking: false })).toEqual(both("", "It is 3."));
  });

  it.each([
    "The tag </think> closes it.",
    "It begins with <think> and ends with\n</think>\nas you see.",
    "Write `x`, then </think>, then y.",
  ])("is none where a model that is not known to think speaks of the tags: %s", (text) => {
    for (const size of [1, 5, 100])
      expect(read(text, size, { isThinking: false })).toEqual(both("", text));
  });

  it("is kept whole, so that an answer that is taken for a thought is not lost", () => {
    const text = "Close it with\n</think>\nand go on.";
    expect(read(text, 7, { isThinking: false })).toMatchObject({
      reasoning: "Close it with",
      text: "and go on.",
    });
  });

  it("ends at the tag that is not quoted", () => {
    const text = "I may write `</think>` there.\n</think>\nYes.";
    expect(read(text, text.length)).toEqual(both("I may write `</think>` there.", "Yes."));
  });

  it("is not looked for elsewhere", () => {
    const text = "<think>hm</think>";
    expect(read(text, 2, { mayThink: false })).toEqual(both("", text));
  });

  it("is not looked for where reasoning comes in a field of its own", () => {
    const parts = new TextParts({ mayThink: true, isThinking: true });
    parts.addReasoning("hm");
    parts.addText("a </think> b");
    expect(parts.finish()).toEqual({ reasoning: "hm", text: "a </think> b" });
  });
});

it("takes a text of blanks for none (DeepSeek's JSON mode), and leaves others as they are", () => {
  expect(read("     ", 1, { mayThink: false })).toEqual(both("", ""));
  expect(read("  a  ", 1, { mayThink: false })).toEqual(both("", "  a  "));
});

it("takes work that grows with the text and no faster", () => {
  const timeOf = (word: string, count: number): number => {
    const parts = new TextParts({ mayThink: true, isThinking: true });
    const start = performance.now();
    for (let index = 0; index < count; index++) parts.addText(word);
    parts.finish();
    return performance.now() - start;
  };
  for (const word of ["word ", "  ", "`</think>` ", "<think>"]) {
    timeOf(word, 5_000);
    expect(timeOf(word, 40_000)).toBeLessThan(24 * Math.max(timeOf(word, 5_000), 10));
  }
});
