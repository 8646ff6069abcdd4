import { onAborted } from "../calls/until-aborted.ts";
import type { Clock } from "../contracts/service.ts";

/** How long the stages of a run may take to unwind once it has been ended. */
const graceMs = 50;

/** Waits for work that should end with a signal; a strategy or check that ignores the signal is left alone shortly after it. */
export async function orOverdue<T>(
  work: Promise<T>,
  signal: AbortSignal,
  clock: Clock,
): Promise<T | "overdue"> {
  let cancel: (() => void) | undefined;
  let release: (() => void) | undefined;
  const overdue = new Promise<"overdue">((resolve) => {
    const watch = (): void => {
      cancel = clock.after(graceMs, () => resolve("overdue"));
    };
    if (signal.aborted) watch();
    else release = onAborted(signal, watch);
  });
  try {
    return await Promise.race([work, overdue]);
  } finally {
    cancel?.();
    release?.();
  }
}
