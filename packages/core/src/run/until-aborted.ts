/**
 * Starts something and waits for it, but no longer than the signal allows: then throws the signal's reason and leaves it
 * alone. Nothing is started once the signal has aborted; what `start` throws at once counts as its rejection.
 */
export function untilAborted<T>(start: () => Promise<T> | T, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => reject(signal.reason as Error);
    const release = (): void => signal.removeEventListener("abort", onAbort);
    signal.addEventListener("abort", onAbort, { once: true });
    attempt(start)
      // What notices the abort may reject first, in words of its own.
      .then(resolve, (thrown: Error) => reject(signal.aborted ? (signal.reason as Error) : thrown))
      .finally(release);
  });
}

async function attempt<T>(start: () => Promise<T> | T): Promise<T> {
  return start();
}
