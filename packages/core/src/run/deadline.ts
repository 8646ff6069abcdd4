import type { Clock } from "../contracts/service.ts";

/** A countdown that can be paused; calls back once when the time is used up. */
export class Deadline {
  readonly #clock: Clock;
  readonly #onReached: () => void;
  #leftMs: number;
  #since: number | undefined;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, ms: number, onReached: () => void) {
    this.#clock = clock;
    this.#leftMs = ms;
    this.#onReached = onReached;
  }

  start(): void {
    if (this.#since !== undefined) return;
    this.#since = this.#clock.now();
    this.#cancel = this.#clock.after(Math.max(0, this.#leftMs), this.#onReached);
  }

  /** Stops the countdown; `start` goes on where it stopped. */
  pause(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#leftMs = this.leftMs();
    this.#since = undefined;
  }

  leftMs(): number {
    return this.#since === undefined
      ? this.#leftMs
      : this.#leftMs - (this.#clock.now() - this.#since);
  }
}
