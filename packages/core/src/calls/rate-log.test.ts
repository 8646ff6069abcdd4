import fc from "fast-check";
import { expect, it } from "vitest";
import { type AccountRate, earliestStart, type Sent } from "./rate-log.ts";

const requests = (count: number, perMs: number): AccountRate => ({ of: "requests", count, perMs });
const tokens = (count: number, perMs: number): AccountRate => ({ of: "tokens", count, perMs });

it("lets a call go at once where there is room, and else when the oldest that counts is out of the span", () => {
  const sent: Sent[] = [
    { at: 0, tokens: 10 },
    { at: 30, tokens: 60 },
  ];
  expect(earliestStart(sent, 5, [requests(3, 100)], 40).at).toBe(40);
  expect(earliestStart(sent, 5, [requests(2, 100)], 40)).toEqual({ at: 100, reason: "requests" });
  expect(earliestStart(sent, 35, [tokens(100, 100)], 40)).toEqual({ at: 100, reason: "tokens" });
  expect(earliestStart(sent, 50, [tokens(100, 100)], 40)).toEqual({ at: 130, reason: "tokens" });
});

it("lets a call that is larger than a whole rate go when it is alone", () => {
  expect(earliestStart([], 500, [tokens(100, 1_000)], 7).at).toBe(7);
  expect(earliestStart([{ at: 7, tokens: 1 }], 500, [tokens(100, 1_000)], 8).at).toBe(1_007);
});

it("never lets more into any span than a rate allows", () => {
  const rate = fc.oneof(
    fc.record({
      of: fc.constant("requests" as const),
      count: fc.integer({ min: 1, max: 5 }),
      perMs: fc.integer({ min: 1, max: 50 }),
    }),
    fc.record({
      of: fc.constant("tokens" as const),
      count: fc.integer({ min: 1, max: 40 }),
      perMs: fc.integer({ min: 1, max: 50 }),
    }),
  );
  const call = fc.record({ after: fc.nat(20), tokens: fc.nat(30) });
  fc.assert(
    fc.property(
      fc.array(rate, { maxLength: 3 }),
      fc.array(call, { maxLength: 40 }),
      (rates, calls) => {
        const sent: Sent[] = [];
        let now = 0;
        for (const { after, tokens: size } of calls) {
          now += after;
          const { at } = earliestStart(sent, size, rates, Math.max(now, sent.at(-1)?.at ?? 0));
          sent.push({ at, tokens: size });
        }
        for (const { of, count, perMs } of rates)
          for (const first of sent) {
            const span = sent.filter(({ at }) => at >= first.at && at < first.at + perMs);
            const used =
              of === "requests" ? span.length : span.reduce((sum, one) => sum + one.tokens, 0);
            expect(used <= count || span.length === 1 || isLone(span, count)).toBe(true);
          }
      },
    ),
  );
});

/** A call larger than the rate may stand beside calls of no tokens. */
function isLone(span: readonly Sent[], count: number): boolean {
  const heavy = span.filter(({ tokens: size }) => size > 0);
  return heavy.length === 1 && (heavy[0]?.tokens ?? 0) > count;
}
