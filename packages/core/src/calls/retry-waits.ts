import type { CallPolicy } from "../program/program.ts";

/** Gives the waits between the attempts of one call, one after the other: they double from the first to the longest, each shortened by chance up to a half, so that many callers don't come back at once. */
export async function openRetryWaits({
  firstMs,
  maxMs,
}: CallPolicy["retry"]): Promise<() => number> {
  // Loaded when something fails: most runs never need it.
  const { ExponentialBackoff, halfJitterGenerator } = await import("./call-policies.ts");
  const start = new ExponentialBackoff({
    initialDelay: firstMs,
    maxDelay: maxMs,
    generator: halfJitterGenerator,
  });
  let last: ReturnType<typeof start.next> | undefined;
  return () => {
    last = last === undefined ? start.next() : last.next(undefined);
    return last.duration;
  };
}
