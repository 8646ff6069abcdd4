import { type Clock, onAborted } from "@loopwright/core/plugin";

/** Opens a watch that ends a call when its caller aborts it, or when nothing has come for `timeoutMs`. */
export function openWatch(caller: AbortSignal, clock: Clock, timeoutMs: number): Watch {
  return new Watch(caller, clock, timeoutMs);
}

/**
 * What the client library reads of an abort signal, and nothing else: it is asked once a call, and a whole signal
 * with a controller takes as long to make as the rest of the call's set-up.
 */
export class Watch {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #leaveCaller: () => void;
  readonly #listeners: (() => void)[] = [];
  readonly #expire = (): void => {
    this.isTimedOut = true;
    this.#abort();
  };
  #cancelTimer: () => void;
  /** True once nothing has come for too long. */
  isTimedOut = false;
  aborted = false;

  constructor(caller: AbortSignal, clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#leaveCaller = onAborted(caller, () => this.#abort());
    this.#cancelTimer = clock.after(timeoutMs, this.#expire);
  }

  /** Part of what the library reads. */
  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The watch as the library takes it. */
  get signal(): AbortSignal {
    return this as unknown as AbortSignal;
  }

  /** Something came: the wait begins anew. */
  touch(): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(this.#timeoutMs, this.#expire);
  }

  close(): void {
    this.#cancelTimer();
    this.#leaveCaller();
  }

  #abort(): void {
    this.aborted = true;
    for (const listener of this.#listeners) listener();
  }
}
