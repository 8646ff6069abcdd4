import fc from "fast-check";
import { expect, test } from "vitest";
import { durationText, moneyText } from "./amount-text.ts";
import { NO_TALLY } from "./batch-tally.ts";
import { progressText } from "./progress-text.ts";

const progress = {
  total: 200,
  done: 50,
  doneNow: 40,
  elapsedMs: 60_000,
  tally: { ...NO_TALLY, values: 47, failed: { "output-invalid": 3 }, usd: 0.5 },
  usdNow: 0.4,
};

test("tells count, failures, time left, money and rate", () => {
  expect(progressText(progress, 200)).toBe(
    "[######------------------] 50/200 · 3 failed · 3:45 left · $0.50 of about $2.00 · 40/min",
  );
});

test.each([
  [60, "[####------------] 50/200 · 3 failed · 3:45 left"],
  [24, "50/200 · 3 failed"],
  [6, "50/200"],
  [3, "50/"],
])("leaves out what matters less in %i columns", (width, text) => {
  const shown = progressText(progress, width);
  expect(shown.length).toBeLessThanOrEqual(width);
  expect(shown).toContain(text.replace(/^\[.*\] /u, ""));
});

test("is never wider than its room", () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(1e6), fc.nat(1e6), (width, total, done) => {
      const all = { ...progress, total, done: Math.min(done, total) };
      expect(progressText(all, width).length).toBeLessThanOrEqual(width);
    }),
    { numRuns: 200 },
  );
});

test("writes sums and durations as people do", () => {
  expect([0, 0.00012, 0.034, 1.5, 1234].map(moneyText)).toEqual([
    "$0.00",
    "$0.00012",
    "$0.034",
    "$1.50",
    "$1234.00",
  ]);
  expect([400, 65_000, 3_725_000].map(durationText)).toEqual(["0:00", "1:05", "1:02:05"]);
});

test("tells what it waits for", () => {
  const at = (leftMs: number): string =>
    progressText({ ...progress, waiting: { models: "openai/x", leftMs } }, 200);
  expect(at(12_000)).toContain("50/200 · waits for openai/x, tried again in 0:12 · 3 failed");
  expect(at(0)).toContain("one row tries openai/x");
});
