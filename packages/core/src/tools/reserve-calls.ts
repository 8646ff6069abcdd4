import type { ToolCall } from "../contracts/message.ts";
import type { LimitError } from "../errors/loopwright-error.ts";
import type { ToolEntry } from "../program/program.ts";
import { durationText } from "../spec/text/duration-text.ts";
import type { Frame } from "../run/run-scope.ts";
import { entryOf, findTool } from "./stage-tool.ts";
import { potsOf } from "./tool-ledger.ts";
import { refuseWhenUsedUp } from "./tool-pot.ts";

/** Why calls of one request are not executed, by their place; undefined for those that every limit holds. */
export type CallRefusals = readonly (string | undefined)[];

/** Takes calls off every limit in their order: those that fit are made, the others are told which limit is used up. */
export function reserveCalls(frame: Frame, calls: readonly ToolCall[]): CallRefusals {
  return calls.map(({ name }) => reserve(frame, findTool(frame, name)));
}

/** Takes the call of a tool that stands in for a failed one; false where no limit holds it. */
export function reserveStandIn(frame: Frame, tool: string): boolean {
  return reserve(frame, entryOf(frame, tool)) === undefined;
}

/**
 * Takes one call off the limits of its tool, its stage and all above; the words for the model where one can't hold it.
 *
 * The limits of a tool bound that tool alone: the stage goes on with its others. One of the stage or the run leaves it
 * the answer with what is known; then it ends limited.
 */
function reserve(frame: Frame, entry: ToolEntry | undefined): string | undefined {
  const pots = entry === undefined ? [] : potsOf(frame, entry);
  for (const pot of pots) {
    const refusal = refuseWhenUsedUp(pot);
    if (refusal !== undefined) return toolText(pot.name, refusal);
  }
  const refusal = frame.ledger.reserveToolCall();
  if (refusal !== undefined) {
    frame.limitedBy = refusal;
    return overallText(refusal);
  }
  for (const { calls } of pots) calls.reserveToolCall();
  return undefined;
}

function toolText(name: string, { details }: LimitError): string {
  const { used, max, maxMs } = details;
  const what =
    typeof maxMs === "number"
      ? `the time of all calls of ${name} is used up (${durationText(maxMs)})`
      : `the limit on calls of ${name} is reached (${String(used)} of ${String(max)} made)`;
  return `not executed: ${what}; go on without it`;
}

function overallText({ details: { of, used, max } }: LimitError): string {
  const whose = of === "stage" ? "this stage" : "the run";
  return `not executed: the limit on tool calls is reached (${String(used)} of ${String(max)} of ${whose} made); answer with what is known`;
}
