import type { Frame } from "../run/run-scope.ts";
import { softShare } from "../run/soft-limits.ts";
import { findTool, policyOf } from "./stage-tool.ts";
import { potsOf } from "./tool-ledger.ts";
import type { ToolPot } from "./tool-pot.ts";

/**
 * Which calls of tools of these names fit, in this order: those of the stage, the run and all above it up to the share
 * from which a run wraps up, those of a tool of its own up to the whole. A tool that another may stand in for counts twice.
 */
export function callsThatFit(frame: Frame, names: readonly string[]): readonly boolean[] {
  let left = frame.ledger.toolCallsLeft(softShare);
  const inPots = new Map<ToolPot, number>();
  return names.map((name) => {
    const entry = findTool(frame, name);
    if (left <= 0) return false;
    const pots = entry === undefined ? [] : potsOf(frame, entry);
    const room = (pot: ToolPot): number => inPots.get(pot) ?? pot.calls.toolCallsLeft(1);
    if (pots.some((pot) => room(pot) <= 0)) return false;
    for (const pot of pots) inPots.set(pot, room(pot) - 1);
    const fallback = entry === undefined ? undefined : policyOf(frame, entry).fallback;
    left -= fallback !== undefined && "tool" in fallback ? 2 : 1;
    return true;
  });
}
