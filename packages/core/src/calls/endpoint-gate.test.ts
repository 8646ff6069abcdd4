import { beforeAll, describe, expect, it } from "vitest";
import { testClock } from "../../../testkit/src/test-clock.ts";
import { ProviderError } from "../errors/loopwright-error.ts";
import { Account, type Asking } from "./account.ts";
import { Breaker } from "./breaker.ts";
import { isShut, letOut, letOutWhenFree, noteAnswer, noteFault } from "./endpoint-gate.ts";
import { Hold } from "./hold.ts";

const fault = (details: object = {}): Error =>
  new ProviderError("provider-unavailable", "busy", { retryable: true, details: { ...details } });
const said = (more: object = {}, patienceMs = 60_000) => ({
  fault: fault(more),
  saysNothing: false,
  patienceMs,
});

function open() {
  const clock = testClock();
  const account = new Account(clock);
  const breaker = new Breaker({ failures: 1, restMs: 1_000 }, clock);
  const place = { endpoint: "e", account, breaker, hold: new Hold(clock) };
  const asking: Asking = {
    model: "a/b",
    tokens: 0,
    signal: new AbortController().signal,
    patienceMs: 60_000,
    tell: () => undefined,
  };
  return { clock, account, breaker, place, asking };
}

beforeAll(() => import("p-limit"));

describe("what lets calls out", () => {
  it("takes nothing off the rate for a call that is refused after it waited", async () => {
    const { clock, account, place, asking } = open();
    account.restrict({ rateLimit: { count: 1, perMs: 10_000 } });
    const first = await letOutWhenFree(place, asking);
    const second = letOutWhenFree(place, asking).then(
      () => "went",
      (refused: Error) => refused.message,
    );
    await clock.advance(9_500);
    first.pass?.leave();
    await noteFault(place, first, said());
    await clock.advance(500);
    expect(await second).toMatch(/no call goes there for 500ms more/u);
    await clock.advance(600);
    const third = await letOutWhenFree(place, asking);
    expect(third.pass).toBeDefined();
  });

  it("says until when, also while a call tries, as data too", async () => {
    const { clock, place, asking } = open();
    await noteFault(place, letOut(place), said());
    const refused = async (): Promise<unknown> => letOutWhenFree(place, asking).catch((one) => one);
    expect(await refused()).toMatchObject({ details: { isHeldBack: true, restMs: 1_000 } });
    await clock.advance(1_000);
    const trial = await letOutWhenFree(place, asking);
    expect(await refused()).toMatchObject({
      message: expect.stringContaining("until the call that tries it has ended") as string,
      details: { restMs: 0 },
    });
    await noteAnswer(place, trial);
    expect(isShut(place, 0)).toBe(false);
  });

  it.each([
    [5_000, 60_000, undefined],
    [90_000, 60_000, 90_000],
    [9e12, 1e13, 600_000],
  ])(
    "holds the account for a wait of %i ms where one waits %i ms, else the model alone",
    async (retryAfterMs, patienceMs, held) => {
      const { account, breaker, place } = open();
      expect(await noteFault(place, letOut(place), said({ retryAfterMs }, patienceMs))).toBe(false);
      expect(place.hold.waitMs()).toBe(held);
      expect(account.isFree).toBe(held !== undefined);
      expect(breaker.isCalm).toBe(true);
    },
  );

  it("learns nothing from a call that was given up", async () => {
    const { account, breaker, place } = open();
    await noteFault(place, letOut(place), { ...said({ retryAfterMs: 5_000 }), saysNothing: true });
    expect([account.isFree, place.hold.isFree, breaker.isCalm]).toEqual([true, true, true]);
  });
});
