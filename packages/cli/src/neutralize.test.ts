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
