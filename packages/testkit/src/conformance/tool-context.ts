import type { ToolContext } from "@loopwright/core/plugin";

/** What a tool knows about a call, for tests: a signal that never aborts, and nobody to be asked. */
export function toolContext(given: Partial<ToolContext> = {}): ToolContext {
  return {
    signal: new AbortController().signal,
    runId: "run-1",
    callId: "call-1",
    idempotencyKey: "key-1",
    askPerson: async () => ({ answered: false, reply: "" }),
    ...given,
  };
}
