import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../contracts/json.ts";
import { parseReact, parseReactCounted } from "./parse-react.ts";

describe("a step in the ReAct text protocol", () => {
  it("is an action with its input, or the final answer", () => {
    expect(parseReact('Thought: look\nAction: search\nAction Input: {"q": "oak"}')).toEqual({
      ok: true,
      thought: "look",
      action: "search",
      input: { q: "oak" },
      finalAnswer: null,
      dropped: [],
    });
    expect(parseReact("Thought: known\nFinal Answer: an oak")).toMatchObject({
      action: null,
      finalAnswer: "an oak",
    });
  });

  it.each([
    ["Action: a\nAction Input: x\nObservation: 5\nFinal Answer: 5", "observation"],
    ["Action: a\nAction Input: x\nThought: then\nAction: b\nAction Input: y", "later-step"],
    ["<think>Action: b</think>\nAction: a\nAction Input: x", "thinking"],
    ["hm </think>\nAction: a\nAction Input: x", "thinking"],
    ["Sure.\nThought: t\nAction: a\nAction Input: x", "text-before"],
    ["```\nAction: a\nAction Input: x\n```\nI wait.", "text-after"],
    ["Question: which?\nAction: a\nAction Input: x", "question"],
    ["Action: None\nAction: a\nAction Input: x", "no-action"],
  ])("names what it leaves out: %j", (text, part) => {
    expect(parseReact(text)).toMatchObject({ action: "a", input: "x", dropped: [part] });
  });

  it.each([
    ["", {}, "empty"],
    ["The gate is open.", {}, "no-step"],
    ["Thought: hm\nFinal Answer:", {}, "no-step"],
    ["The best Action: wait for the tide.", {}, "no-step"],
    ["I have one Answer: no.", {}, "no-step"],
    ["Action: a\nFinal Answer: b", {}, "ambiguous"],
    ["Action: a\nAction Input: one\nAction Input: two", {}, "ambiguous"],
    ["Action: a\nAction: b\nAction Input: {}", {}, "ambiguous"],
    ["Action: a[x\nObservation: y", {}, "truncated"],
    ["Final Answer: whole", { finishReason: "length" }, "truncated"],
    ["Final Answer: whole", { finishReason: "content_filter" }, "truncated"],
    ['Action: s\nAction Input: tide Observation: "high"', {}, "ambiguous"],
  ])("is a failure: %j %j", (text, options, code) => {
    expect(parseReact(text, options)).toMatchObject({ ok: false, code });
  });

  it("is a failure in a text of over 4,000,000 characters", () => {
    expect(parseReact(" ".repeat(4_000_001))).toMatchObject({ ok: false, code: "too-large" });
  });

  it.each([
    ["Action: Finish[4]", "Finish", "4"],
    ["Action: None\nAction Input: 4", "None", "4"],
    ["Action: add (exact)\nAction Input: 4", "add (exact)", "4"],
  ])("calls a tool of that very name: %j", (text, name, input) => {
    expect(parseReact(text)).not.toMatchObject({ action: name });
    expect(parseReact(text, { toolNames: [name] })).toMatchObject({ action: name, input });
  });

  it("is a failure where the text ends inside the name of a tool", () => {
    expect(parseReact("Action: sea", { toolNames: ["search"] })).toMatchObject({
      code: "truncated",
    });
    expect(parseReact("Action: sea", { toolNames: ["sea", "search"] })).toMatchObject({ ok: true });
  });
});

/** Text that holds no sign of the protocol: no label, fence, tag, quote or bracket at an end. */
const words = fc
  .array(fc.stringMatching(/^[\p{L}\d][\p{L}\d,.'()!?%&+=-]{0,9}$/u), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) => parts.join(" "))
  .filter((line) => /^[\p{L}\d]/u.test(line) && !/^(?:none|null|json)\b/i.test(line));
const prose = fc
  .array(fc.oneof({ weight: 4, arbitrary: words }, fc.constant("")), { minLength: 1, maxLength: 4 })
  .map((lines) => lines.join("\n").trim())
  .filter((text) => text !== "");
const toolName = fc
  .stringMatching(/^[a-z][a-z0-9_]{0,11}$/)
  .filter((name) => !/^(?:none|null|nil|finish|finalanswer|final_answer)$/.test(name));
const key = fc.string().filter((name) => name !== "__proto__" && name !== "constructor");
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "grapheme" }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(key, tie("json"), { maxKeys: 3 }),
  ),
}));
const structure = fc.oneof(
  fc.dictionary(key, json, { maxKeys: 4, noNullPrototype: true }),
  fc.array(json, { minLength: 1, maxLength: 3 }).filter(([first]) => typeof first !== "number"),
);

interface Step {
  readonly thought: string;
  readonly action?: string;
  readonly input?: Json;
  readonly answer?: string;
}

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ thought: prose, action: toolName, input: fc.oneof(prose, structure) }),
  fc.record({ thought: prose, answer: prose }),
);

type Label = "thought" | "action" | "input" | "answer";
const english = {
  thought: "Thought",
  action: "Action",
  input: "Action Input",
  answer: "Final Answer",
};
const chinese = { thought: "思考", action: "行动", input: "行动输入", answer: "最终答案" };

function printed(value: Step, write: (label: Label, text: string) => string, indent = 0): string {
  const input =
    typeof value.input === "string" ? value.input : JSON.stringify(value.input, null, indent);
  const parts: [Label, string | undefined][] = [
    ["thought", value.thought],
    ["action", value.action],
    ["input", input],
    ["answer", value.answer],
  ];
  return parts
    .flatMap(([label, text]) => (text === undefined ? [] : [write(label, text)]))
    .join("\n");
}

const styles: Readonly<Record<string, (value: Step) => string>> = {
  plain: (value) => printed(value, (label, text) => `${english[label]}: ${text}`),
  bold: (value) => printed(value, (label, text) => `**${english[label]}:** ${text}`, 2),
  boldOutside: (value) => printed(value, (label, text) => `**${english[label]}**: ${text}`),
  numbered: (value) => printed(value, (label, text) => `${english[label]} 12: ${text}`),
  listed: (value) => printed(value, (label, text) => `2. ${english[label]}: ${text}`, 1),
  headings: (value) => printed(value, (label, text) => `## ${english[label]}:\n${text}\n`),
  small: (value) => printed(value, (label, text) => `${english[label].toLowerCase()}: ${text}`),
  joined: (value) =>
    printed(value, (label, text) => `${english[label].replace(" ", "_")} : ${text}`),
  chinese: (value) => printed(value, (label, text) => `${chinese[label]}：${text}`, 4),
  mixed: (value) =>
    printed(value, (label, text) => `${label === "action" ? "Action" : chinese[label]}: ${text}`),
};
const style = fc.constantFrom(...Object.keys(styles));
const print = (name: string, value: Step): string => styles[name]?.(value) ?? "";

function read(value: Step): object {
  return {
    ok: true,
    thought: value.thought,
    action: value.action ?? null,
    input: value.input === undefined ? null : (JSON.parse(JSON.stringify(value.input)) as Json),
    finalAnswer: value.answer ?? null,
    dropped: [],
  };
}

describe("a printed step", () => {
  it("is read back in each style", () => {
    fc.assert(
      fc.property(step, style, (value, name) => {
        expect(parseReact(print(name, value))).toEqual(read(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it("is read back from a fence, quotes, thinking and before an invented observation", () => {
    const around = fc.constantFrom(
      (text: string) => `\`\`\`\n${text}\n\`\`\``,
      (text: string) => `~~~text\n${text}\n~~~`,
      (text: string) => `> ${text.replaceAll("\n", "\n> ")}`,
      (text: string) => `<think>Action: other\nAction Input: {}</think>\n${text}`,
      (text: string) => `${text}\nObservation: {"x": 1}\nFinal Answer: 7`,
      (text: string) => `\ufeff${text.replaceAll("\n", "\r\n")}\r\n`,
    );
    const oneLine = step.filter((value) => !`${value.thought}${value.answer}`.includes("\n"));
    const flat = oneLine.filter(({ input }) => typeof input !== "string" || !input.includes("\n"));
    fc.assert(
      fc.property(flat, style, around, (value, name, wrap) => {
        const { dropped: _, ...expected } = read(value) as { dropped: unknown };
        expect(parseReact(wrap(print(name, value)))).toMatchObject(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Whether the first value is the second with the end left out. */
function isStart(part: unknown, whole: unknown): boolean {
  if (typeof part !== "object" || part === null) return part === whole;
  if (typeof whole !== "object" || whole === null) return false;
  const [keys, all] = [Object.keys(part), Object.keys(whole)];
  const same = keys.every((name, index) => all[index] === name);
  return same && keys.every((name) => isStart(Reflect.get(part, name), Reflect.get(whole, name)));
}

/** Whether this is a failure, or the step with the end of its last field left out. */
function isCutOf(
  got: ReturnType<typeof parseReact>,
  { thought, action, input, answer }: Step,
): boolean {
  if (!got.ok) return true;
  if (got.thought !== thought) return false;
  if (answer !== undefined) {
    return got.action === null && got.finalAnswer !== null && answer.startsWith(got.finalAnswer);
  }
  if (got.finalAnswer !== null || got.action === null || action === undefined) return false;
  if (got.input === null) return action.startsWith(got.action);
  if (got.action !== action) return false;
  return typeof got.input === "string"
    ? typeof input === "string" && input.startsWith(got.input)
    : isStart(got.input, JSON.parse(JSON.stringify(input)));
}

describe("a printed step that is cut anywhere", () => {
  /**
   * What holds: a cut text gives a failure, or the deed of the whole step, with at most the end of its last field left
   * out: a text shorter, the input absent or with fewer last entries (only closing brackets were missing). An action
   * never becomes an answer, an answer never an action, and all fields before the last one are whole.
   */
  it("is a failure or the step with a shorter last field", () => {
    fc.assert(
      fc.property(step, style, fc.double({ min: 0, max: 1, noNaN: true }), (value, name, share) => {
        const text = print(name, value);
        const got = parseReact(text.slice(0, Math.floor(share * text.length)));
        expect(isCutOf(got, value)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it("is a failure wherever the provider names the limit", () => {
    fc.assert(
      fc.property(step, style, fc.nat(), (value, name, at) => {
        const text = print(name, value);
        const got = parseReact(text.slice(0, at % text.length), { finishReason: "length" });
        expect(got.ok).toBe(false);
      }),
    );
  });
});

const pieces = [
  "Thought: ",
  "Action: ",
  "Action Input: ",
  "Final Answer: ",
  "Observation: ",
  "Question: ",
  "思考：",
  "行动：",
  "行动输入：",
  "最终答案：",
  "观察：",
  "\n",
  "\r\n",
  " ",
  "**",
  "`",
  "```",
  "```json\n",
  "~~~\n",
  "> ",
  "- ",
  "1. ",
  "## ",
  "<think>",
  "</think>",
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  '"',
  "'",
  "\\",
  ":",
  ",",
  ";",
  "|",
  '{"a": 1}',
  "a",
  "None",
  "Finish[",
  "\ufeff",
  "\u200b",
  "\ud83d",
  '{"action": "a"}',
  "__proto__",
] as const;

describe("any text", () => {
  const soup = fc
    .array(fc.constantFrom(...pieces), { maxLength: 60 })
    .map((parts) => parts.join(""));

  it("gives a step or a failure, never both deeds, and is read twice alike", () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: "binary", maxLength: 200 })), (text) => {
        const got = parseReact(text);
        const isOne = got.ok && (got.action === null) !== (got.finalAnswer === null);
        expect(isOne).toBe(got.ok);
        expect(parseReact(text)).toEqual(got);
      }),
      { numRuns: 3_000 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("of up to 100 kB never throws", () => {
    fc.assert(
      fc.property(soup, fc.nat(100_000), (text, length) => {
        parseReact(text.repeat(Math.ceil(length / Math.max(1, text.length))).slice(0, length));
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ...pieces,
    "<think></think>",
    "</think>Thought ",
    "<think>\n",
    "Action: a\nAction Input: x\n",
    "Action Input: {",
    "Action: [",
    "Action: a ",
    "Thought: a Action ",
    "````\n```\n",
    "`````\n````\n```\n",
    "x: ```\n",
    "~~~~\n~~~\n",
    "*_`",
    " *",
    ") ",
    'Action Input: "',
    "> \n",
    "Final\u00a0",
    "action    ",
    "{\n",
    "1",
    "(1",
    "x\n```",
    "</think>\n",
  ])("takes twice the work at twice the length: %j", (piece) => {
    const work = (length: number): number => {
      const tally = { steps: 0 };
      parseReactCounted(piece.repeat(Math.ceil(length / piece.length)), {}, tally);
      return tally.steps;
    };
    const [small, large] = [work(4_000), work(16_000)];
    expect(large).toBeLessThan(4.4 * small + 1_000);
    expect(large).toBeLessThan(16_000 * 80);
  });
});
