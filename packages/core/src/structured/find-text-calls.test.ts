import { describe, expect, it } from "vitest";
import { findTextCalls } from "./find-text-calls.ts";

const tools = ["find", "get_weather"];
const found = (text: string): unknown => findTextCalls(text, tools);
const CALL = '<tool_call>{"name":"find","arguments":{"q":1}}</tool_call>';
const ONE = [{ name: "find", arguments: '{"q":1}' }];

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
    [
      "DeepSeek",
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>find\n```json\n{"q": "a < b"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
  ])("are read: %s", (_name, text) => {
    const calls = [{ name: "find", arguments: '{"q":"a < b"}' }];
    expect(found(text)).toEqual({ calls, rest: "" });
    expect(found(`I look it up.\n${text}`)).toEqual({ calls, rest: "I look it up." });
    expect(found(`${text}\n${text}<|im_end|>`)).toEqual({ calls: [...calls, ...calls], rest: "" });
  });

  it.each([
    ["a fence that is closed", "```\n~~~\nx\n```"],
    ["a fence within a fence", "````md\n```xml\nx\n```\n````"],
    ["code", "`a`, ``b ` c`` and ```` ``` ````"],
    ["code that goes over a line", "`a\nb`"],
    ["a single backtick", "It's the ` key.\n"],
    ["an escaped one", "It's \\` here"],
    ["a quotation", "> a\n> b\n"],
    ["a quotation in marks", 'He said "a < b", then „c“ and «d».'],
    ["an element", "<code>a</code> and <!-- b -->"],
    ["a quoted tag of thinking", "I end with `</think>`."],
    ["a list", "- a\n- ```\n  b\n  ```\n"],
  ])("are read behind %s", (_name, text) => {
    expect(found(`${text}\n${CALL}`)).toEqual({ calls: ONE, rest: text.trim() });
  });

  it.each([
    "<think>no: ",
    "<thinking>`no: ",
    "no: ",
    "```\nno:\n```\n",
    "<think>a<think>b</think>",
  ])("are read behind thinking, and not in it: %s", (begin) => {
    const close = begin.startsWith("<thinking>") ? "</thinking>" : "</think>";
    expect(found(`${begin}${CALL}${close}\n${CALL}`)).toMatchObject({ calls: ONE });
    expect(found(`${begin}${CALL}${close}\nDone.`)).toBeUndefined();
  });

  it.each([
    ["no call", "2 < 3, and that is all"],
    ["another name", '<tool_call>{"name":"delete","arguments":{}}</tool_call>'],
    [
      "one name of two is another",
      '<tool_call>{"name":"find","arguments":{}}</tool_call><tool_call>{"name":"x","arguments":{}}</tool_call>',
    ],
    ["a call that is cut", '<tool_call>{"name":"find","arguments":{"q":"a'],
    ["a whole one and one that is cut", `${CALL}<tool_call>{"name":"find","arg`],
    ["no arguments to speak of", '<tool_call>{"name":"find","arguments":[1]}</tool_call>'],
    ["a text behind it", `${CALL}\nThat is how it is called.`],
    ["a text between two", `${CALL}\nor\n${CALL}`],
    ["a fence", `\`\`\`xml\n${CALL}\n\`\`\``],
    ["a fence that is not closed", `\`\`\`xml\n${CALL}`],
    ["a fence of another character", `\`\`\`\n~~~\n${CALL}`],
    ["a fence in a longer one", `\`\`\`\`md\n\`\`\`xml\nx\n\`\`\`\n${CALL}`],
    ["a shorter fence in waves", `~~~~\n~~~\n${CALL}`],
    ["a fence in a list item", `- \`\`\`\n  ${CALL}`],
    ["a fence in a numbered item", `1. \`\`\`\n   ${CALL}`],
    ["a fence behind text", `So: \`\`\`xml\n\n${CALL}`],
    ["a closing fence with words", `\`\`\`\nx\n\`\`\` y\n${CALL}`],
    ["code on a line", `Write \`see ${CALL}`],
    ["code with two backticks", `Use \`\` a \` ${CALL}`],
    ["code over two lines", `Use \`a\n${CALL}`],
    ["indented code", `So:\n\n    ${CALL}`],
    ["a quoted line", `> ${CALL}`],
    ["a quoted line in a list", `- > ${CALL}`],
    ["a line behind a quoted one", `> so\n${CALL}`],
    ["quotation marks", `He said "${CALL}"`],
    ["quotation marks further off", `He wrote: "first ${CALL}"`],
    ["quotation marks that are not closed", `He wrote: "first ${CALL}`],
    ["other quotation marks", `He wrote: “first ${CALL}`],
    ["an element of code", `<code>${CALL}</code>`],
    ["an element that is not closed", `<pre lang="xml">\n${CALL}`],
    ["a comment", `<!-- ${CALL} -->`],
    ["a comment that is not closed", `<!-- ${CALL}`],
    ["character data", `<![CDATA[ ${CALL}`],
    ["thinking", `<think>${CALL}</think>`],
    ["thinking that is not closed", `<think>\n${CALL}`],
    ["thinking in thinking", `<think>a <think>b</think> ${CALL}`],
  ])("are left alone: %s", (_name, text) => {
    expect(found(text)).toBeUndefined();
  });

  it.each([
    "<tool_call>",
    "<tool_calls>\n",
    "<",
    "`<",
    "``` <",
    '"<code>',
    "</think>",
    "<think>",
    "\n- ```\n",
    "\n<function=find>",
    "<tool_call>{",
    `${CALL} x </think>`,
    CALL,
  ])("take work that grows with the text and no faster: %s", (piece) => {
    const timeOf = (count: number): number => {
      const text = piece.repeat(count) + CALL;
      const times = Array.from({ length: 3 }, () => {
        const start = process.cpuUsage();
        found(text);
        found(`${text} and more`);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      });
      // The least time of the processor, since what else goes on only adds.
      return Math.min(...times);
    };
    timeOf(1_000);
    // Sixteen times the text: sixteen times the time where the work is linear, 256 times where each part is gone over again.
    const most = 80 * Math.max(timeOf(2_000), 500);
    // The budget of steps would end such work, and hide how it grows; it takes seconds until then.
    expect(timeOf(32_000)).toBeLessThan(Math.min(most, 2_000_000));
  });
});
