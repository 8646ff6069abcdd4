import type { ToolCall } from "../contracts/message.ts";
import { definePrompt } from "../contracts/prompt.ts";
import type { LimitError } from "../errors/loopwright-error.ts";
import type { ToolEntry } from "../program/program.ts";
import { say } from "../run/language-of.ts";
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
    if (refusal !== undefined) return toolText(frame, pot.name, refusal);
  }
  const refusal = frame.ledger.reserveToolCall();
  if (refusal !== undefined) {
    frame.limitedBy = refusal;
    return overallText(frame, refusal);
  }
  for (const { calls } of pots) calls.reserveToolCall();
  return undefined;
}

function toolText(frame: Frame, tool: string, { details }: LimitError): string {
  const { used, max, maxMs } = details;
  return typeof maxMs === "number"
    ? say(frame, TIME_USED_UP, { tool, time: durationText(maxMs) })
    : say(frame, TOOL_LIMIT, { tool, used: String(used), max: String(max) });
}

function overallText(frame: Frame, { details: { of, used, max } }: LimitError): string {
  const words = of === "stage" ? STAGE_LIMIT : RUN_LIMIT;
  return say(frame, words, { used: String(used), max: String(max) });
}

const TIME_USED_UP = definePrompt({
  en: "not executed: the time of all calls of {{tool}} is used up ({{time}}); go on without it",
  zh: "未执行：{{tool}} 所有调用的时间已用完（{{time}}）；请在没有它的情况下继续",
});
const TOOL_LIMIT = definePrompt({
  en: "not executed: the limit on calls of {{tool}} is reached ({{used}} of {{max}} made); go on without it",
  zh: "未执行：{{tool}} 的调用次数已达上限（{{max}} 次中已用 {{used}} 次）；请在没有它的情况下继续",
});
const STAGE_LIMIT = definePrompt({
  en: "not executed: the limit on tool calls is reached ({{used}} of {{max}} of this stage made); answer with what is known",
  zh: "未执行：工具调用次数已达上限（本阶段 {{max}} 次中已用 {{used}} 次）；请根据已知内容作答",
});
const RUN_LIMIT = definePrompt({
  en: "not executed: the limit on tool calls is reached ({{used}} of {{max}} of the run made); answer with what is known",
  zh: "未执行：工具调用次数已达上限（整个运行 {{max}} 次中已用 {{used}} 次）；请根据已知内容作答",
});
