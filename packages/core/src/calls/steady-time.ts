import type { Clock } from "../contracts/service.ts";

/** By clock: the latest time that was seen, and by how much it was set back since. */
const seen = new WeakMap<Clock, { last: number; back: number }>();

/**
 * The time of a clock that never goes back: where the clock is set back, time stands still for a moment and goes on.
 *
 * Spans of time are measured by it, so that an hour that comes twice lengthens none of them.
 */
export function steadyNow(clock: Clock): number {
  const now = clock.now();
  const known = seen.get(clock);
  if (known === undefined) {
    seen.set(clock, { last: now, back: 0 });
    return now;
  }
  if (now < known.last) known.back += known.last - now;
  known.last = now;
  return now + known.back;
}
