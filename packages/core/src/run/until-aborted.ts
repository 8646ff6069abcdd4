/** Waits for a promise, but no longer than the signal allows: then throws the signal's reason and leaves the promise alone. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  // What loses the race may still reject later.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}

/** Calls a function that may throw at once, and gives its promise. */
export async function attempt<T>(call: () => Promise<T> | T): Promise<T> {
  return call();
}
