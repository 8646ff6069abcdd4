import type { Clock } from "@loopwright/core/plugin";

/** Ends a call when its caller aborts it or when nothing has come for too long. */
export interface Watch {
  readonly signal: AbortSignal;
  readonly isTimedOut: () => boolean;
  /** Something came: the wait begins anew. */
  touch(): void;
  close(): void;
}

/** Opens a watch that waits `timeoutMs` for the next piece of a reply. */
export function openWatch(caller: AbortSignal, clock: Clock, timeoutMs: number): Watch {
  const controller = new AbortController();
  let timedOut = false;
  const expire = (): void => {
    timedOut = true;
    controller.abort();
  };
  const abort = (): void => controller.abort(caller.reason);
  let cancel = clock.after(timeoutMs, expire);
  if (caller.aborted) abort();
  else caller.addEventListener("abort", abort, { once: true });
  return {
    signal: controller.signal,
    isTimedOut: () => timedOut,
    touch: () => {
      cancel();
      cancel = clock.after(timeoutMs, expire);
    },
    close: () => {
      cancel();
      caller.removeEventListener("abort", abort);
    },
  };
}
