import { describe, expect, it } from "vitest";
import { findTextCalls } from "./find-text-calls.ts";

const tools = ["find", "get_weather"];
const found = (text: string): unknown => findTextCalls(text, tools);

describe("calls in a text", () => {
  it.each([
    ["Hermes and Qwen", '<tool_call>\n{"name": "find", "arguments": {"q": "a < b"}}\n</tool_call>'],
    [
      "Qwen-Coder",
      "<tool_call>\n<function=find>\n<parameter=q>\na < b\n</parameter>\n</function>\n</tool_call>",
    ],
    ["GLM", "<tool_call>find\n<arg_key>q</arg_key>\n<arg_value>a < b</arg_value>\n</tool_call>"],
    [
      "MiniMax",
      '<minimax:tool_call>\n<invoke name="find">\n<parameter name="q">a < b</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    [
      "Kimi",
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.find:0<|tool_call_argument_begin|>{"q": "a < b"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
  ])("are read: %s", (_name, text) => {
    const calls = [{ name: "find", arguments: '{"q":"a < b"}' }];
    expect(found(text)).toEqual({ calls, rest: "" });
    expect(found(`I look it up.\n${text}`)).toEqual({ calls, rest: "I look it up." });
    expect(found(`${text}\n${text}`)).toEqual({ calls: [...calls, ...calls], rest: "" });
  });

  it.each([
    ["no call", "2 < 3, and that is all"],
    ["another name", '<tool_call>{"name":"delete","arguments":{}}</tool_call>'],
    [
      "one name of two is another",
      '<tool_call>{"name":"find","arguments":{}}</tool_call><tool_call>{"name":"x","arguments":{}}</tool_call>',
    ],
    ["a fence", '```xml\n<tool_call>{"name":"find","arguments":{}}</tool_call>\n```'],
    ["code on a line", 'Write `see <tool_call>{"name":"find","arguments":{}}</tool_call>` for it.'],
    ["a quoted line", '> <tool_call>{"name":"find","arguments":{}}</tool_call>'],
    ["quotation marks", 'He said "<tool_call>{"name":"find","arguments":{}}</tool_call>"'],
    ["a call that is cut", '<tool_call>{"name":"find","arguments":{"q":"a'],
    ["no arguments to speak of", '<tool_call>{"name":"find","arguments":[1]}</tool_call>'],
  ])("are left alone: %s", (_name, text) => {
    expect(found(text)).toBeUndefined();
  });

  it.each(["<tool_call>", "<", "`<", "\n<function=find>", "<tool_call>{"])(
    "take work that grows with the text and no faster: %s",
    (piece) => {
      const timeOf = (count: number): number => {
        const text = piece.repeat(count);
        const start = performance.now();
        found(text);
        return performance.now() - start;
      };
      timeOf(20_000);
      expect(timeOf(80_000)).toBeLessThan(20 * Math.max(timeOf(20_000), 20));
    },
  );
});
