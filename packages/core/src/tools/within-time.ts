import { attempt, onAborted } from "../calls/until-aborted.ts";

/** What may end work before it is done. */
export interface TimeFrame {
  /** Ends the work when it aborts, with its reason. */
  readonly outer: AbortSignal;
  /** Starts the timer of the work; returns the way to cancel it. */
  readonly startTimer: (onTimeout: () => void) => () => void;
  /** Makes the error that ends the work when its time is up. */
  readonly timeout: () => Error;
  /** Told when work that has begun is left behind. */
  readonly onLeft?: () => unknown;
}

/**
 * Starts work and waits for it, but no longer than its time and the outer signal allow; then throws what ended it and
 * leaves it alone. Nothing is started once the outer signal has aborted.
 *
 * The work's own signal is made when it is first read, because most work never looks at it; it aborts with whatever
 * ends the work early, and follows nothing afterwards.
 */
export function withinTime(
  start: (signalOf: () => AbortSignal) => unknown,
  { outer, startTimer, timeout, onLeft }: TimeFrame,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    outer.throwIfAborted();
    let controller: AbortController | undefined;
    let ender: Error | undefined;
    let cancel = (): void => undefined;
    let leave = (): void => undefined;
    const release = (): void => {
      cancel();
      leave();
    };
    const end = (reason: Error): void => {
      ender = reason;
      release();
      onLeft?.();
      // What notices the abort may reject too, in words of its own: this comes first.
      reject(reason);
      controller?.abort(reason);
    };
    const signalOf = (): AbortSignal => {
      controller ??= new AbortController();
      if (ender !== undefined) controller.abort(ender);
      return controller.signal;
    };
    leave = onAborted(outer, () => end(outer.reason as Error));
    cancel = startTimer(() => end(timeout()));
    attempt(() => start(signalOf)).then(
      (value) => {
        release();
        return resolve(value);
      },
      (thrown: Error) => {
        release();
        reject(thrown);
      },
    );
  });
}
