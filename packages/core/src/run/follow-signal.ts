import { onAborted } from "../calls/until-aborted.ts";

/** A controller that also aborts with other signals, until it is released. */
export interface Following {
  readonly controller: AbortController;
  /** Stops following; call it when the work is over. */
  readonly release: () => void;
}

/**
 * Makes a controller for work of a known length.
 *
 * `AbortSignal.any` does the same for work that nobody ends, but its signals wait for the garbage collector.
 */
export function followSignal(...outer: readonly AbortSignal[]): Following {
  const controller = new AbortController();
  const releases = outer.map((signal) => {
    const follow = (): void => controller.abort(signal.reason);
    if (!signal.aborted) return onAborted(signal, follow);
    follow();
    return () => undefined;
  });
  return { controller, release: () => releases.forEach((release) => release()) };
}
