import type { ToolCall } from "../contracts/message.ts";
import { isAgentTool } from "../program/agent-key.ts";
import type { ToolEntry } from "../program/program.ts";
import type { Frame } from "../run/run-scope.ts";
import { findTool } from "./stage-tool.ts";
import { potsOf } from "./tool-ledger.ts";

/** Agents that are called together share what is left of tokens and money, as branches do; returns the way back. */
export function openAgentLanes(frame: Frame, calls: readonly ToolCall[]): () => void {
  if (calls.length < 2) return () => undefined;
  const counts = new Map<ToolEntry, number>();
  for (const { name } of calls) {
    const entry = findTool(frame, name);
    if (entry !== undefined && isAgentTool(entry)) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const closes = [frame.ledger.openLanes(Math.max(0, total - 1))];
  for (const [entry, count] of counts)
    for (const { models } of potsOf(frame, entry))
      if (models !== undefined) closes.push(models.openLanes(count - 1));
  return () => closes.forEach((close) => close());
}
