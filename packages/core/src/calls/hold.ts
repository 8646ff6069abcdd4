import type { Clock } from "../contracts/service.ts";
import { steadyNow } from "./steady-time.ts";

/** The longest that calls are kept away because an endpoint asked to wait, whatever it asked for. */
export const maxHoldMs = 600_000;

/** The call that tries, once a hold is over, whether the endpoint answers. */
export type HoldTrial = object;

/**
 * Keeps the calls of one account to one model away, where the endpoint asked for a longer wait than the spec allows; the
 * account's other models are asked as before. When it is over, one call tries.
 */
export class Hold {
  readonly #clock: Clock;
  #until = 0;
  #trial: HoldTrial | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True where nothing was asked for, or a call has shown that it is over. */
  get isFree(): boolean {
    return this.#until === 0;
  }

  /** Keeps calls away from now on. */
  pause(ms: number): void {
    this.#until = Math.max(this.#until, steadyNow(this.#clock) + Math.min(ms, maxHoldMs));
  }

  /** How long no call goes out; 0 while one tries, undefined where one may. */
  waitMs(): number | undefined {
    if (this.#until === 0) return undefined;
    const left = this.#until - steadyNow(this.#clock);
    if (left > 0) return left;
    return this.#trial === undefined ? undefined : 0;
  }

  /** Notes that a call goes out; gives the trial that it is, if any. */
  begin(): HoldTrial | undefined {
    if (this.#until === 0) return undefined;
    this.#trial = {};
    return this.#trial;
  }

  /** Notes that a call is over: the trial ends the hold, unless it was given up. */
  over(trial: HoldTrial | undefined, isGivenUp: boolean): void {
    if (trial === undefined || trial !== this.#trial) return;
    this.#trial = undefined;
    if (!isGivenUp) this.#until = 0;
  }
}
