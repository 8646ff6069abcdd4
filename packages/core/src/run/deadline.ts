import type { Clock } from "../contracts/service.ts";

/** A countdown that can be paused, and lengthened or shortened on the way; calls back once when the time is used up. */
export class Deadline {
  readonly #clock: Clock;
  readonly #onReached: () => void;
  #ms: number;
  #usedMs = 0;
  #since: number | undefined;
  #cancel: (() => void) | undefined;

  /** `ms` may be infinite: then it only counts. */
  constructor(clock: Clock, ms: number, onReached: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#onReached = onReached;
  }

  start(): void {
    if (this.#since !== undefined) return;
    this.#since = this.#clock.now();
    if (Number.isFinite(this.#ms))
      this.#cancel = this.#clock.after(Math.max(0, this.leftMs()), this.#onReached);
  }

  /** Stops the countdown; `start` goes on where it stopped. */
  pause(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#usedMs = this.usedMs();
    this.#since = undefined;
  }

  /** Gives it another length; what has passed stays passed. */
  setMs(ms: number): void {
    const isRunning = this.#since !== undefined;
    this.pause();
    this.#ms = ms;
    if (isRunning) this.start();
  }

  usedMs(): number {
    return this.#since === undefined
      ? this.#usedMs
      : this.#usedMs + (this.#clock.now() - this.#since);
  }

  leftMs(): number {
    return this.#ms - this.usedMs();
  }
}
