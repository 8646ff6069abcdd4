/** What waits on each signal. A listener for each call would be slow to add and to remove, so a signal has one for all. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Starts something and waits for it, but no longer than the signal allows: then throws the signal's reason and leaves it
 * alone. Nothing is started once the signal has aborted; what `start` throws at once counts as its rejection.
 */
export function untilAborted<T>(start: () => Promise<T> | T, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const release = onAborted(signal, () => reject(signal.reason as Error));
    attempt(start).then(
      (value) => {
        release();
        return resolve(value);
      },
      (thrown: Error) => {
        release();
        // What notices the abort may reject first, in words of its own.
        reject(signal.aborted ? (signal.reason as Error) : thrown);
      },
    );
  });
}

/** Starts something; what it throws at once is its rejection. */
export function attempt<T>(start: () => Promise<T> | T): Promise<T> {
  try {
    return Promise.resolve(start());
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}

/**
 * Calls back once when a signal aborts; returns the way out, which the caller takes when its work is over.
 *
 * Contract: the signal has not aborted yet; the callback runs at once when it does, and throws nothing. A signal has one
 * listener for all that wait on it, so that many short waits on the signal of a long run cost little.
 */
export function onAborted(signal: AbortSignal, callback: () => void): () => void {
  const others = waitingOn(signal);
  others.add(callback);
  return () => {
    others.delete(callback);
  };
}

function waitingOn(signal: AbortSignal): Set<() => void> {
  const known = waiting.get(signal);
  if (known !== undefined) return known;
  const callbacks = new Set<() => void>();
  waiting.set(signal, callbacks);
  signal.addEventListener(
    "abort",
    () => {
      for (const callback of callbacks) callback();
      callbacks.clear();
    },
    { once: true },
  );
  return callbacks;
}
