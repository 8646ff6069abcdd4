import { describe, expect, it } from "vitest";
import { testClock } from "../../../testkit/src/test-clock.ts";
import { Breaker } from "./breaker.ts";

async function opened() {
  const clock = testClock();
  const breaker = new Breaker({ failures: 3, restMs: 30_000 }, clock);
  const early = breaker.begin();
  const told = [
    await breaker.failed(early),
    await breaker.failed(early),
    await breaker.failed(early),
  ];
  return { clock, breaker, told, early };
}

describe("a breaker", () => {
  it("opens after so many failures in a row and tells it once", async () => {
    const { breaker, told, early } = await opened();
    expect(told).toEqual([false, false, true]);
    expect(breaker.restMs()).toBe(30_000);
    expect(await breaker.failed(early)).toBe(false);
  });

  it("starts to count again after a success", async () => {
    const breaker = new Breaker({ failures: 2, restMs: 1_000 }, testClock());
    await breaker.failed(breaker.begin());
    await breaker.succeeded(breaker.begin());
    expect(breaker.isCalm).toBe(true);
    await breaker.failed(breaker.begin());
    expect(breaker.restMs()).toBeUndefined();
  });

  it("lets one call try after its rest; an answer closes it", async () => {
    const { breaker, clock } = await opened();
    await clock.advance(29_999);
    expect(breaker.restMs()).toBe(1);
    await clock.advance(1);
    expect(breaker.restMs()).toBeUndefined();
    const trial = breaker.begin();
    expect(breaker.restMs()).toBe(0);
    await breaker.succeeded(trial);
    expect(breaker.restMs()).toBeUndefined();
    expect(breaker.isCalm).toBe(true);
  });

  it("rests again when the call that tries fails, and lets another try when it is given up", async () => {
    const { breaker, clock } = await opened();
    await clock.advance(30_000);
    breaker.leave(breaker.begin());
    expect(breaker.restMs()).toBeUndefined();
    expect(await breaker.failed(breaker.begin())).toBe(true);
    expect(breaker.restMs()).toBe(30_000);
  });

  it("tells one of the calls beside each other that it opened", async () => {
    const breaker = new Breaker({ failures: 3, restMs: 1_000 }, testClock());
    const told = await Promise.all(
      Array.from({ length: 8 }, () => breaker.failed(breaker.begin())),
    );
    expect(told.filter(Boolean)).toHaveLength(1);
  });

  it("is not closed by an answer that was under way when it opened", async () => {
    const { breaker, early } = await opened();
    await breaker.succeeded(early);
    expect(breaker.restMs()).toBe(30_000);
  });

  it("lets nothing that was under way when it opened end the trial, lengthen the rest or open it again", async () => {
    const { breaker, clock, early } = await opened();
    await clock.advance(30_000);
    const trial = breaker.begin();
    breaker.leave(early);
    expect(breaker.restMs()).toBe(0);
    expect(await breaker.failed(early)).toBe(false);
    expect(breaker.restMs()).toBe(0);
    await breaker.succeeded(early);
    expect(breaker.restMs()).toBe(0);
    await breaker.succeeded(trial);
    expect(breaker.isCalm).toBe(true);
    for (let count = 0; count < 3; count++) expect(await breaker.failed(early)).toBe(false);
    expect(breaker.isCalm).toBe(true);
  });

  it("counts failures that lie beside an answer", async () => {
    const breaker = new Breaker({ failures: 2, restMs: 1_000 }, testClock());
    await breaker.failed(breaker.begin());
    await Promise.all([breaker.succeeded(breaker.begin()), breaker.failed(breaker.begin())]);
    expect(breaker.isCalm).toBe(false);
  });

  it("rests no longer where the clock is set back", async () => {
    let now = 1e12;
    const breaker = new Breaker(
      { failures: 1, restMs: 1_000 },
      { now: () => now, after: () => () => undefined },
    );
    await breaker.failed(breaker.begin());
    now -= 3_600_000;
    expect(breaker.restMs()).toBe(1_000);
    now += 1_000;
    expect(breaker.restMs()).toBeUndefined();
  });
});
