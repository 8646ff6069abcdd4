import type { Terminal } from "@loopwright/core";

/** Many runs at a time would print through each other: sinks that print get nothing to print on. */
export const SILENT_TERMINAL: Terminal = {
  isInteractive: false,
  hasColors: false,
  columns: () => undefined,
  write: () => undefined,
};
