import { type Effect, ToolError } from "@loopwright/core/plugin";
import type { LostError } from "./link.ts";

/** What is told of a call whose answer does not come. */
export function lostCall({ message, wasRefused }: LostError, effect: Effect): ToolError {
  if (effect === "read") return new ToolError("tool-failed", `the connection was lost: ${message}`);
  return wasRefused
    ? new ToolError(
        "tool-failed",
        `the connection was lost before the server took the call: it did not take effect, and may be made again (${message})`,
      )
    : new ToolError(
        "tool-failed",
        `the connection was lost while the call was on its way: it is not known whether it took effect; do not repeat it without looking (${message})`,
        { details: { isUnsure: true } },
      );
}
