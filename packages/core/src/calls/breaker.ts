import type { CircuitBreakerPolicy, IBackoff } from "cockatiel";
import type { Clock } from "../contracts/service.ts";
import type { CallPolicy } from "../program/program.ts";

type Settings = NonNullable<CallPolicy["breaker"]>;

/**
 * Stops the calls to an endpoint that fails again and again, for a while; then one call tries whether it answers.
 *
 * While nothing fails it is one flag. cockatiel counts and decides; it is loaded with the first failure, and told the
 * end of a rest by the clock of the app.
 */
export class Breaker {
  readonly #settings: Settings;
  readonly #clock: Clock;
  #policy: CircuitBreakerPolicy | undefined;
  #restsUntil = 0;
  /** True while the call that tries is under way. */
  #isTrying = false;
  /** False from a failure until a success. */
  #isCalm = true;
  /** True when it has opened and nobody was told yet. */
  #hasOpened = false;

  constructor(settings: Settings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** How many failures in a row open it, and for how long. */
  get settings(): Settings {
    return this.#settings;
  }

  /** True where nothing has failed since the last success. */
  get isCalm(): boolean {
    return this.#isCalm;
  }

  /** How long no call goes out; undefined where one may. */
  restMs(): number | undefined {
    if (this.#isCalm || this.#restsUntil === 0) return undefined;
    const left = this.#restsUntil - this.#clock.now();
    if (left > 0) return left;
    return this.#isTrying ? 0 : undefined;
  }

  /** Notes that a call goes out. */
  begin(): void {
    if (!this.#isCalm && this.#restsUntil > 0) this.#isTrying = true;
  }

  /** Notes that a call was given up: it says nothing about the endpoint. */
  leave(): void {
    this.#isTrying = false;
  }

  /** Notes that the endpoint answered. */
  async succeeded(): Promise<void> {
    if (this.#isCalm) return;
    const policy = await this.#counter();
    await policy.execute(() => undefined).catch(() => undefined);
    this.#isTrying = false;
    const { CircuitState } = await import("cockatiel");
    if (policy.state !== CircuitState.Closed) return;
    this.#isCalm = true;
    this.#restsUntil = 0;
  }

  /** Notes that the endpoint failed; true where that opened it: of calls beside each other one is told. */
  async failed(): Promise<boolean> {
    this.#isCalm = false;
    const policy = await this.#counter();
    // What it throws is what it was told, or that it is open already.
    await policy.execute(() => Promise.reject(new Error("failed"))).catch(() => undefined);
    this.#isTrying = false;
    const hasOpened = this.#hasOpened;
    this.#hasOpened = false;
    return hasOpened;
  }

  async #counter(): Promise<CircuitBreakerPolicy> {
    if (this.#policy !== undefined) return this.#policy;
    const { circuitBreaker, ConsecutiveBreaker, handleAll } = await import("cockatiel");
    const { failures, restMs } = this.#settings;
    const rest = (): IBackoff<unknown> => {
      const until = this.#clock.now() + restMs;
      this.#restsUntil = until;
      this.#hasOpened = true;
      const isOver = (): boolean => this.#clock.now() >= until;
      return {
        // It compares this with the clock of the machine.
        get duration() {
          return isOver() ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
        },
        next: rest,
      };
    };
    this.#policy ??= circuitBreaker(handleAll, {
      halfOpenAfter: { next: rest },
      breaker: new ConsecutiveBreaker(failures),
    });
    return this.#policy;
  }
}
