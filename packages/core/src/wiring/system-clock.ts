import type { Clock } from "../contracts/service.ts";

/** Waits from here on share one timer: nearly all of them are cancelled, and a timer each takes longer than what it guards. */
const longWaitMs = 10_000;
/** How late the end of a long wait may be noticed. */
const sweepMs = 200;

interface Wait {
  readonly until: number;
  readonly callback: () => void;
  /** Its place among all; none once it is over. */
  at: number;
}

/** What is waited for, in no order. Most waits are cancelled soon, one after the other, and a set is slow to take in and let go. */
class Waits {
  readonly #all: Wait[] = [];

  get count(): number {
    return this.#all.length;
  }

  add(until: number, callback: () => void): Wait {
    const wait = { until, callback, at: this.#all.length };
    this.#all.push(wait);
    return wait;
  }

  remove(wait: Wait): void {
    if (wait.at < 0) return;
    const last = this.#all.pop() as Wait;
    if (last !== wait) {
      this.#all[wait.at] = last;
      last.at = wait.at;
    }
    wait.at = -1;
  }

  /** Those that are over by then, the first one first. */
  dueAt(now: number): readonly Wait[] {
    return this.#all.filter(({ until }) => until <= now).toSorted((a, b) => a.until - b.until);
  }
}

/** Makes the clock of the machine; the end of a wait of ten seconds and more is noticed up to 0.2 s late. */
export function systemClock(): Clock {
  const waits = new Waits();
  let sweep: NodeJS.Timeout | undefined;
  /** Whether the timer keeps the process from ending. */
  let isHeld = false;
  let isLettingGo = false;
  const look = (): void => {
    try {
      for (const wait of waits.dueAt(performance.now())) {
        // One that ended before may have cancelled it.
        if (wait.at < 0) continue;
        waits.remove(wait);
        wait.callback();
      }
    } finally {
      // Also after a callback that threw: the others still wait.
      isHeld = waits.count > 0;
      sweep = isHeld ? setTimeout(look, sweepMs) : undefined;
    }
  };
  const hold = (): void => {
    if (isHeld) return;
    isHeld = true;
    if (sweep === undefined) sweep = setTimeout(look, sweepMs);
    else sweep.ref();
  };
  // Once in a turn: one call follows the other, and to let go and hold again takes longer than the wait's own work.
  const letGo = (): void => {
    isLettingGo = false;
    if (waits.count > 0) return;
    isHeld = false;
    sweep?.unref();
  };
  const waitLong = (ms: number, callback: () => void): (() => void) => {
    const wait = waits.add(performance.now() + ms, callback);
    hold();
    return () => {
      waits.remove(wait);
      // Nothing is left to wait for, so the process may end.
      if (waits.count > 0 || isLettingGo) return;
      isLettingGo = true;
      setImmediate(letGo);
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
