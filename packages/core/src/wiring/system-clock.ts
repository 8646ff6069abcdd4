import type { Clock } from "../contracts/service.ts";

/** Waits from here on share one timer: nearly all of them are cancelled, and a timer each takes longer than what it guards. */
const longWaitMs = 10_000;
/** How late the end of a long wait may be noticed. */
const sweepMs = 200;

interface Wait {
  readonly until: number;
  readonly callback: () => void;
}

/** Makes the clock of the machine; the end of a wait of ten seconds and more is noticed up to 0.2 s late. */
export function systemClock(): Clock {
  const waits = new Set<Wait>();
  let sweep: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = performance.now();
    for (const wait of waits) {
      if (wait.until > now) continue;
      waits.delete(wait);
      wait.callback();
    }
    sweep = waits.size === 0 ? undefined : setTimeout(look, sweepMs);
  };
  const waitLong = (ms: number, callback: () => void): (() => void) => {
    const wait = { until: performance.now() + ms, callback };
    waits.add(wait);
    sweep ??= setTimeout(look, sweepMs);
    if (waits.size === 1) sweep.ref();
    return () => {
      waits.delete(wait);
      // Nothing is left to wait for, so the process may end.
      if (waits.size === 0) sweep?.unref();
    };
  };
  return {
    now: () => Date.now(),
    after: (ms, callback) => {
      if (ms >= longWaitMs) return waitLong(ms, callback);
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
}
