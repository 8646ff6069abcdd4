import { describe, expect, it } from "vitest";
import { testClock } from "../../../testkit/src/test-clock.ts";
import { Hold, maxHoldMs } from "./hold.ts";

describe("a hold", () => {
  it("lets one call try when it is over, and all once that was answered", async () => {
    const clock = testClock();
    const hold = new Hold(clock);
    expect(hold.begin()).toBeUndefined();
    hold.pause(90_000);
    expect(hold.waitMs()).toBe(90_000);
    await clock.advance(90_000);
    expect(hold.waitMs()).toBeUndefined();
    const trial = hold.begin();
    expect(hold.waitMs()).toBe(0);
    hold.over(undefined, false);
    expect(hold.waitMs()).toBe(0);
    hold.over(trial, false);
    expect(hold.isFree).toBe(true);
  });

  it("lets another try where the first was given up", async () => {
    const clock = testClock();
    const hold = new Hold(clock);
    hold.pause(10);
    await clock.advance(10);
    hold.over(hold.begin(), true);
    expect(hold.isFree).toBe(false);
    expect(hold.waitMs()).toBeUndefined();
  });

  it.each([9e12, Number.POSITIVE_INFINITY])("lasts ten minutes where %d ms are asked for", (ms) => {
    const hold = new Hold(testClock());
    hold.pause(ms);
    expect(hold.waitMs()).toBe(maxHoldMs);
  });
});
