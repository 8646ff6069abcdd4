import { expect, it, vi } from "vitest";
import type { Clock } from "../contracts/service.ts";
import { orOverdue } from "./overdue.ts";

/** A clock whose timers fire when they are told to. */
function heldClock(): { readonly clock: Clock; readonly timers: Set<() => void> } {
  const timers = new Set<() => void>();
  const after = (_: number, callback: () => void): (() => void) => {
    timers.add(callback);
    return () => timers.delete(callback);
  };
  return { clock: { now: () => 0, after }, timers };
}

it("waits for work on one listener of a signal that all of it shares, and gives it up after the abort alone", async () => {
  const { clock, timers } = heldClock();
  const outer = new AbortController();
  const added = vi.spyOn(outer.signal, "addEventListener");
  const hanging = new Promise<string>(() => undefined);
  const work = Array.from({ length: 20 }, (_, index) =>
    orOverdue(index === 3 ? Promise.resolve("ready") : hanging, outer.signal, clock),
  );
  expect(added).toHaveBeenCalledTimes(1);
  await expect(work[3]).resolves.toBe("ready");
  outer.abort("enough");
  // Not for what was over already.
  expect(timers.size).toBe(19);
  for (const fire of timers) fire();
  const given = await Promise.all(work);
  expect(given.filter((one) => one === "overdue")).toHaveLength(19);
  expect(timers.size).toBe(0);
});
