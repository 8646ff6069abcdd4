import type { Clock } from "@loopwright/core";

/** A clock that stands still until a test moves it; timers fire in order while it is moved. */
export interface TestClock extends Clock {
  /** Moves the time on and lets what waited for it run. */
  advance(ms: number): Promise<void>;
  /** How many timers are set. */
  readonly timers: number;
}

/** Makes a clock for tests; `start` is milliseconds since the epoch. */
export function testClock(start = 1_700_000_000_000): TestClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => now,
    after: (ms, callback) => {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    get timers() {
      return timers.size;
    },
    advance: async (ms) => {
      const until = now + ms;
      for (;;) {
        const next = [...timers]
          .filter((timer) => timer.at <= until)
          .toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.callback();
        await settle();
      }
      now = until;
      await settle();
    },
  };
}

/** Lets promises that are ready run on. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
