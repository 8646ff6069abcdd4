import { describe, expect, it } from "vitest";
import { testClock } from "../../../testkit/src/test-clock.ts";
import { Breaker } from "./breaker.ts";

async function opened() {
  const clock = testClock();
  const breaker = new Breaker({ failures: 3, restMs: 30_000 }, clock);
  const told = [await breaker.failed(), await breaker.failed(), await breaker.failed()];
  return { clock, breaker, told };
}

describe("a breaker", () => {
  it("opens after so many failures in a row and tells it once", async () => {
    const { breaker, told } = await opened();
    expect(told).toEqual([false, false, true]);
    expect(breaker.restMs()).toBe(30_000);
    expect(await breaker.failed()).toBe(false);
  });

  it("starts to count again after a success", async () => {
    const breaker = new Breaker({ failures: 2, restMs: 1_000 }, testClock());
    await breaker.failed();
    await breaker.succeeded();
    expect(breaker.isCalm).toBe(true);
    await breaker.failed();
    expect(breaker.restMs()).toBeUndefined();
  });

  it("lets one call try after its rest; an answer closes it", async () => {
    const { breaker, clock } = await opened();
    await clock.advance(29_999);
    expect(breaker.restMs()).toBe(1);
    await clock.advance(1);
    expect(breaker.restMs()).toBeUndefined();
    breaker.begin();
    expect(breaker.restMs()).toBe(0);
    await breaker.succeeded();
    expect(breaker.restMs()).toBeUndefined();
    expect(breaker.isCalm).toBe(true);
  });

  it("rests again when the call that tries fails, and lets another try when it is given up", async () => {
    const { breaker, clock } = await opened();
    await clock.advance(30_000);
    breaker.begin();
    breaker.leave();
    expect(breaker.restMs()).toBeUndefined();
    breaker.begin();
    expect(await breaker.failed()).toBe(true);
    expect(breaker.restMs()).toBe(30_000);
  });

  it("tells one of the calls beside each other that it opened", async () => {
    const breaker = new Breaker({ failures: 3, restMs: 1_000 }, testClock());
    const told = await Promise.all(Array.from({ length: 8 }, () => breaker.failed()));
    expect(told.filter(Boolean)).toHaveLength(1);
  });

  it("is not closed by an answer that was under way when it opened", async () => {
    const { breaker } = await opened();
    await breaker.succeeded();
    expect(breaker.restMs()).toBe(30_000);
  });
});
