import type { CircuitBreakerPolicy, IBackoff } from "cockatiel";
import type { Clock } from "../contracts/service.ts";
import type { CallPolicy } from "../program/program.ts";
import { steadyNow } from "./steady-time.ts";

type Settings = NonNullable<CallPolicy["breaker"]>;

/** Since when a call was under way, as the breaker counts: what ends with an older one says nothing any more. */
export type BreakerTicket = number;

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
  /** The ticket of calls that go out; another one from each opening and each trial on. */
  #ticket: BreakerTicket = 0;
  /** True while the call that tries is under way. */
  #isTrying = false;
  /** False from a failure until a success. */
  #isCalm = true;
  /** How often it was told a failure. */
  #failures = 0;
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

  /** How long no call goes out; 0 while one tries, undefined where one may. */
  restMs(): number | undefined {
    if (this.#isCalm || this.#restsUntil === 0) return undefined;
    const left = this.#restsUntil - steadyNow(this.#clock);
    if (left > 0) return left;
    return this.#isTrying ? 0 : undefined;
  }

  /** Notes that a call goes out; what it comes to is told with the ticket. After a rest it is the one that tries. */
  begin(): BreakerTicket {
    if (!this.#isCalm && this.#restsUntil > 0) {
      this.#isTrying = true;
      this.#ticket += 1;
    }
    return this.#ticket;
  }

  /** Notes that a call was given up: it says nothing about the endpoint. */
  leave(ticket: BreakerTicket): void {
    if (ticket === this.#ticket) this.#isTrying = false;
  }

  /** Notes that the endpoint answered. */
  async succeeded(ticket: BreakerTicket): Promise<void> {
    if (this.#isCalm) return;
    const policy = await this.#counter();
    const { CircuitState } = await import("./call-policies.ts");
    if (ticket !== this.#ticket) return;
    const failures = this.#failures;
    await policy.execute(() => undefined).catch(() => undefined);
    this.leave(ticket);
    // One beside it may have failed meanwhile.
    if (policy.state !== CircuitState.Closed || this.#failures !== failures) return;
    this.#isCalm = true;
    this.#restsUntil = 0;
  }

  /** Notes that the endpoint failed; true where that opened it: of calls beside each other one is told. */
  async failed(ticket: BreakerTicket): Promise<boolean> {
    if (ticket !== this.#ticket) return false;
    this.#isCalm = false;
    this.#failures += 1;
    const policy = await this.#counter();
    if (ticket !== this.#ticket) return false;
    // What it throws is what it was told, or that it is open already.
    await policy.execute(() => Promise.reject(new Error("failed"))).catch(() => undefined);
    this.leave(ticket);
    const hasOpened = this.#hasOpened;
    this.#hasOpened = false;
    return hasOpened;
  }

  async #counter(): Promise<CircuitBreakerPolicy> {
    if (this.#policy !== undefined) return this.#policy;
    const { circuitBreaker, ConsecutiveBreaker, handleAll } = await import("./call-policies.ts");
    const { failures } = this.#settings;
    const rest = (): IBackoff<unknown> => {
      const isOver = this.#open();
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

  /** Starts a rest; tells whether it is over. */
  #open(): () => boolean {
    const until = steadyNow(this.#clock) + this.#settings.restMs;
    this.#restsUntil = until;
    this.#hasOpened = true;
    this.#isTrying = false;
    this.#ticket += 1;
    return () => steadyNow(this.#clock) >= until;
  }
}
