import type { Clock } from "../contracts/service.ts";
import { onAborted } from "./until-aborted.ts";

/** Waits so long, or until the signal aborts: then throws its reason at once; no timer is left. */
export function waitFor(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const release = onAborted(signal, () => {
      cancel();
      reject(signal.reason as Error);
    });
    const cancel = clock.after(ms, () => {
      release();
      resolve();
    });
  });
}
