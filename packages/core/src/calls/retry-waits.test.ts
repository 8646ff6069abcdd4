import { expect, it } from "vitest";
import { openRetryWaits } from "./retry-waits.ts";

it("doubles from the first wait to the longest, each shortened by at most a half", async () => {
  for (let round = 0; round < 200; round++) {
    // oxlint-disable-next-line no-await-in-loop -- waits of one call after the other
    const next = await openRetryWaits({ attempts: 6, firstMs: 1_000, maxMs: 5_000 });
    for (const most of [1_000, 2_000, 4_000, 5_000, 5_000]) {
      const wait = next();
      expect(wait).toBeGreaterThanOrEqual(most / 2);
      expect(wait).toBeLessThanOrEqual(most);
    }
  }
});

it("differs from call to call", async () => {
  const retry = { attempts: 3, firstMs: 1_000, maxMs: 60_000 };
  const firsts = await Promise.all(
    Array.from({ length: 20 }, async () => (await openRetryWaits(retry))()),
  );
  expect(new Set(firsts).size).toBeGreaterThan(1);
});
