import { setMaxListeners } from "node:events";
import type { Clock } from "../contracts/service.ts";
import { ProviderError } from "../errors/loopwright-error.ts";
import type { CallPolicy } from "../program/program.ts";
import { durationText } from "../spec/text/duration-text.ts";
import { steadyNow } from "./steady-time.ts";
import { attempt, onAborted } from "./until-aborted.ts";

/** What a call in limited time stands on. */
interface TimedCallOptions {
  readonly clock: Clock;
  /** Ends the call, too; the call's own signal aborts with it. */
  readonly signal: AbortSignal;
  readonly timeout: CallPolicy["timeout"];
  /** False where a reply comes whole: then only the time for all of it is limited. */
  readonly streams: boolean;
  /** The model's id, for the fault. */
  readonly model: string;
}

/**
 * Controllers of calls that ended well, by the signal that they followed: a signal takes longer to make than all else
 * that a call needs, and one that never aborted is as good as new.
 */
const spare = new WeakMap<AbortSignal, AbortController[]>();

/** Providers listen to it in each call, and not all of them let go. */
function newController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

type Limit = keyof CallPolicy["timeout"];

/** The key of a spec that raises a limit, and what happened. */
const TOLD: Readonly<Record<Limit, readonly [key: string, what: string]>> = {
  totalMs: ["timeout.total", "the reply was not whole after"],
  firstMs: ["timeout.first", "nothing of the reply came within"],
  idleMs: ["timeout.idle", "the reply broke off: nothing came for"],
};

/**
 * One call of a provider in limited time: it ends when its time is up, also where the provider ignores its signal.
 *
 * One timer serves all three limits: what comes is only noted, and the timer is set again when it finds that something
 * came.
 */
export class TimedCall {
  readonly #options: TimedCallOptions;
  readonly #controller: AbortController;
  readonly #startedAt: number;
  /** When something last came. */
  #lastAt: number | undefined;
  #cancel: (() => void) | undefined;
  #reject: ((reason: Error) => void) | undefined;

  constructor(options: TimedCallOptions) {
    this.#options = options;
    this.#controller = spare.get(options.signal)?.pop() ?? newController();
    this.#startedAt = steadyNow(options.clock);
  }

  /** The signal of this call alone. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True when something of the reply has come: then the call is not made again. */
  get hasBegun(): boolean {
    return this.#lastAt !== undefined;
  }

  /** How long ago it was made. */
  get durationMs(): number {
    return steadyNow(this.#options.clock) - this.#startedAt;
  }

  readonly onActivity = (): void => {
    const isFirst = this.#lastAt === undefined;
    this.#lastAt = steadyNow(this.#options.clock);
    // The first piece ends the wait for it; from then on the shorter time counts.
    if (isFirst && this.#cancel !== undefined) this.#watch(this.#lastAt);
  };

  /** Starts the call and waits for it as long as its time and the signal allow; nothing is started after an abort. */
  run<T>(start: () => Promise<T>): Promise<T> {
    const { signal } = this.#options;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.#reject = reject;
      const release = onAborted(signal, () => this.#end(signal.reason as Error));
      this.#watch(this.#startedAt);
      const over = (): void => {
        release();
        this.#close();
      };
      attempt(start).then(
        (value) => {
          over();
          return resolve(value);
        },
        (thrown: Error) => {
          over();
          // What notices the abort may reject first, in words of its own.
          reject(signal.aborted ? (signal.reason as Error) : thrown);
        },
      );
    });
  }

  #close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.signal.aborted) return;
    const { signal } = this.#options;
    const kept = spare.get(signal);
    if (kept === undefined) spare.set(signal, [this.#controller]);
    else kept.push(this.#controller);
  }

  #end(reason: Error): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#controller.abort(reason);
    this.#reject?.(reason);
  }

  /** Ends the call if a limit is reached, else waits for the next one. */
  #watch(now: number): void {
    const { clock, timeout } = this.#options;
    const limit = this.#nextLimit();
    const left = this.#endOf(limit) - now;
    this.#cancel?.();
    if (left > 0) this.#cancel = clock.after(left, () => this.#watch(steadyNow(clock)));
    else this.#end(this.#timeUp(limit, timeout[limit]));
  }

  /** The limit that ends first if nothing more comes. */
  #nextLimit(): Limit {
    const { streams } = this.#options;
    if (!streams) return "totalMs";
    const quiet = this.#lastAt === undefined ? "firstMs" : "idleMs";
    return this.#endOf(quiet) < this.#endOf("totalMs") ? quiet : "totalMs";
  }

  #endOf(limit: Limit): number {
    const from = limit === "idleMs" ? (this.#lastAt ?? this.#startedAt) : this.#startedAt;
    return from + this.#options.timeout[limit];
  }

  #timeUp(limit: Limit, ms: number): ProviderError {
    const [key, what] = TOLD[limit];
    return new ProviderError(
      "provider-timeout",
      `${this.#options.model}: ${what} ${durationText(ms)}; try again, or raise \`${key}\` of the model`,
      { retryable: true, details: { limit: key, ms } },
    );
  }
}
