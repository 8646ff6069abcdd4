import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { untilAborted } from "./until-aborted.ts";

const never = (): Promise<never> => new Promise(() => undefined);

it("gives what the work gives, and what it throws, also at once", async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(() => 4, signal)).toBe(4);
  const fail = (): never => {
    throw new Error("at once");
  };
  await expect(untilAborted(fail, signal)).rejects.toThrow("at once");
});

it("starts nothing once the signal has aborted", async () => {
  let started = 0;
  const work = untilAborted(() => ++started, AbortSignal.abort(new Error("before")));
  await expect(work).rejects.toThrow("before");
  expect(started).toBe(0);
});

it("lets go of everything that waits when the signal aborts, with its reason", async () => {
  const { signal, abort } = open();
  const waiting = [untilAborted(never, signal), untilAborted(never, signal)];
  abort("enough");
  for (const one of waiting) await expect(one).rejects.toThrow("enough");
});

it("gives the signal's reason where the work notices the abort first", async () => {
  const { signal, abort } = open();
  const work = new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("own words")));
  });
  const waiting = untilAborted(() => work, signal);
  abort("enough");
  await expect(waiting).rejects.toThrow("enough");
});

it("keeps one listener a signal, however many calls", async () => {
  const { signal } = open();
  for (let count = 0; count < 20; count += 1) await untilAborted(() => count, signal);
  void untilAborted(never, signal);
  void untilAborted(never, signal);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
});

function open(): { readonly signal: AbortSignal; readonly abort: (reason: string) => void } {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(new Error(reason)),
  };
}
