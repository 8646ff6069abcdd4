/** What still has to be ended when the host's process exits. */
const pending = new Set<() => void>();

/**
 * Ends something when the host's process exits; the returned function lets go of it.
 *
 * Contract: `end` is synchronous and throws nothing. The process has one listener while anything is pending, else none.
 */
export function atHostExit(end: () => void): () => void {
  if (pending.size === 0) process.on("exit", endAll);
  pending.add(end);
  return () => {
    pending.delete(end);
    if (pending.size === 0) process.off("exit", endAll);
  };
}

function endAll(): void {
  for (const end of pending) end();
}
