import { describe, expect, it } from "vitest";
import { splitThinking } from "./split-thinking.ts";

describe("thinking before free text", () => {
  it.each([
    ["<think>a b</think>\n\nThe answer.", "a b", "The answer."],
    [" \n<Thinking>a</Thinking>The answer.", "a", "The answer."],
    ["<think>a</think>\n<reasoning>b</reasoning>\nThe answer.", "a\n\nb", "The answer."],
    ["<think>a <think>b</think> c</think>The answer.", "a b c", "The answer."],
    ["<think></think>The answer.", "", "The answer."],
    ["<think>a</think>`<think>` opens it.", "a", "`<think>` opens it."],
  ])("is taken apart: %j", (text, thought, answer) => {
    expect(splitThinking(text)).toEqual({ thought, answer });
  });

  it.each([
    ["<think>unfinished", "unfinished"],
    ["<think>done</think>\n ", "done"],
    ["<think>one</think><think>two", "one\n\ntwo"],
  ])("is all there is: %j", (text, thought) => {
    expect(splitThinking(text)).toEqual({ thought, answer: "" });
  });

  it.each([
    "The tag <think> opens the thinking, and </think> closes it.",
    "`<think>` opens the thinking.",
    "```xml\n<think>a</think>\n```",
    "<thinker>a</thinker>",
    "It ends with </think>\n",
    "",
  ])("is no matter of an answer that talks about it: %j", (text) => {
    expect(splitThinking(text)).toEqual({ thought: "", answer: text });
  });
});
