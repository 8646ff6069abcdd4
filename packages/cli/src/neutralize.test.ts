import { readFileSync } from "node:fs";
import type { RunOutcome } from "@loopwright/core";
import { expect, test } from "vitest";
import { neutralize, neutralizeJson } from "./neutralize.ts";
import { answerText, endingText } from "./outcome-text.ts";
import { editedLine, requestText } from "./request-text.ts";
import { stubbedText } from "./stubbed-effects.ts";

test("spells out what could move the cursor or deceive the eye", () => {
  expect(neutralize("a\u001B[2Kb\rc\u202Ed\u009Bx\u200Be")).toBe(
    "a\\u001b[2Kb\\u000dc\\u202ed\\u009bx\\u200be",
  );
});

test("leaves text, tabs and newlines alone", () => {
  expect(neutralize("Grüße 你好 🙂\n\tx\r\ny")).toBe("Grüße 你好 🙂\n\tx\ny");
});

// What the standard gives no picture, some letters and spaces that have none either, and those that turn what follows.
const HIDING = [
  "00AD",
  "034F",
  "061C",
  "115F",
  "1160",
  "17B4",
  "180E",
  "180B",
  "200B",
  "200E",
  "200F",
  "202A",
  "202E",
  "2060",
  "2066",
  "206F",
  "2800",
  "3164",
  "FE00",
  "FE0D",
  "FE0E",
  "FE0F",
  "FEFF",
  "FFA0",
  "FFF9",
  "FFFB",
  "1D173",
  "1D17A",
  "E0001",
  "E0041",
  "E0100",
  "E01EF",
];

test.each(HIDING)("spells out U+%s, which is not seen or turns what is", (code) => {
  const character = String.fromCodePoint(Number.parseInt(code, 16));
  const spelled = code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
  expect(neutralize(`a${character}b`)).toBe(`a${spelled.toLowerCase()}b`);
  expect(neutralizeJson(`"a${character}b"`)).toMatch(/^"a(?:\\u[\da-f]{4})+b"$/u);
});

test("leaves emoji and joined letters alone", () => {
  const text = "❤️ 👩‍💻 🏳️‍🌈 ☎︎ 1️⃣ نمی‌خواهم";
  expect(neutralize(text)).toBe(text);
  expect(neutralize("❤\uFE0F\uFE0F")).toBe("❤\uFE0F\\ufe0f");
});

const attempts = readFileSync(
  new URL("../../../fixtures/injections/attempts.jsonl", import.meta.url),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .map((line) => (JSON.parse(line) as { readonly text: string }).text);

test.each(attempts)("prints nothing that moves a cursor or hides: %j", (text) => {
  const answer = { text, solvable: false, unsolvableReason: text };
  const outcome = { outcome: "failed", verified: "none", answer, value: { text }, reason: text };
  const ended = outcome as unknown as RunOutcome;
  const waiting = { id: "1", stage: text, branch: text };
  const call = { tool: text, input: { text, [text]: 1 } };
  const printed = [
    answerText(ended),
    answerText({ ...ended, value: null }),
    endingText(ended),
    endingText({ ...ended, outcome: "done" }),
    requestText({
      ...waiting,
      ...call,
      kind: "approval",
      reason: text,
      effect: "once",
      schema: {},
    }),
    requestText({ ...waiting, kind: "question", question: text, options: [text] }),
    editedLine(call.input),
    stubbedText([call]),
  ].join("\n");
  expect(printed).not.toMatch(
    /[^\P{Cc}\t\n]|[\u200B\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u,
  );
});

test("JSON that is made safe is the same JSON", () => {
  const value = { [attempts.join("")]: attempts };
  const json = JSON.stringify(value);
  expect(neutralizeJson(json)).not.toBe(json);
  expect(JSON.parse(neutralizeJson(json))).toEqual(value);
});
