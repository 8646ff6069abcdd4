import { expect, it } from "vitest";
import { wholeSeconds } from "./duration-text.ts";

it.each([
  [29_957, "30s"],
  [60_000, "1m"],
  [59_999.5, "1m"],
  [1_001, "2s"],
  [12.3, "13ms"],
])("%d milliseconds left are %s", (ms, text) => {
  expect(wholeSeconds(ms)).toBe(text);
});
