/**
 * Starts something and waits for it, but no longer than the signal allows: then throws the signal's reason and leaves it
 * alone. Nothing is started once the signal has aborted; what `start` throws at once counts as its rejection.
 */
export async function untilAborted<T>(
  start: () => Promise<T> | T,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  const work = attempt(start);
  // What loses the race may still reject later.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted]);
  } catch (thrown) {
    // What notices the abort may reject first, in words of its own.
    signal.throwIfAborted();
    throw thrown;
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}

async function attempt<T>(start: () => Promise<T> | T): Promise<T> {
  return start();
}
