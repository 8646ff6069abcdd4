import { expect, test } from "vitest";
import { neutralize } from "./neutralize.ts";

test("spells out what could move the cursor or deceive the eye", () => {
  expect(neutralize("a\u001B[2Kb\rc\u202Ed\u009Bx\u200Be")).toBe(
    "a\\u001b[2Kb\\u000dc\\u202ed\\u009bx\\u200be",
  );
});

test("leaves text, tabs and newlines alone", () => {
  expect(neutralize("Grüße 你好 🙂\n\tx\r\ny")).toBe("Grüße 你好 🙂\n\tx\ny");
});
