import type { ToolCall } from "../contracts/message.ts";
import type { Frame } from "../run/run-scope.ts";

/** Why calls of one request are not executed, by their place; undefined for those that every limit holds. */
export type CallRefusals = readonly (string | undefined)[];

/**
 * Takes calls off every limit in their order. The stage may still answer with what is known where a limit holds fewer; then
 * it ends limited.
 */
export function reserveCalls(frame: Frame, calls: readonly ToolCall[]): CallRefusals {
  const { granted, refusal } = frame.ledger.reserveToolCalls(calls.length);
  if (refusal !== undefined) frame.limitedBy = refusal;
  return calls.map((_, index) => (index < granted ? undefined : OVER_LIMIT));
}

/** Takes the call of a tool that stands in for a failed one; false where no limit holds it. */
export function reserveStandIn(frame: Frame, _tool: string): boolean {
  const { granted, refusal } = frame.ledger.reserveToolCalls(1);
  if (refusal !== undefined) frame.limitedBy = refusal;
  return granted === 1;
}

const OVER_LIMIT = "not executed: the limit on tool calls is reached; answer with what is known";
