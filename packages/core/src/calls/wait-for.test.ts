import { expect, it } from "vitest";
import { testClock } from "../../../testkit/src/test-clock.ts";
import { waitFor } from "./wait-for.ts";

it("waits so long and no longer", async () => {
  const clock = testClock();
  let isOver = false;
  const wait = waitFor(clock, 100, new AbortController().signal).then(() => (isOver = true));
  await clock.advance(99);
  expect(isOver).toBe(false);
  await clock.advance(1);
  await wait;
  expect(isOver).toBe(true);
});

it("ends at once with the reason of an abort, before and within the wait, and leaves no timer", async () => {
  const clock = testClock();
  const aborter = new AbortController();
  const wait = waitFor(clock, 100, aborter.signal);
  const reason = new Error("stop");
  aborter.abort(reason);
  await expect(wait).rejects.toBe(reason);
  await expect(waitFor(clock, 100, aborter.signal)).rejects.toBe(reason);
  expect(clock.timers).toBe(0);
});
