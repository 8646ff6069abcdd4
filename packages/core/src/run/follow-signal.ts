/** A controller that also aborts with another signal, until it is released. */
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
export function followSignal(outer: AbortSignal): Following {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(outer.reason);
  if (outer.aborted) onAbort();
  else outer.addEventListener("abort", onAbort, { once: true });
  return { controller, release: () => outer.removeEventListener("abort", onAbort) };
}
