import { durationText } from "../spec/text/duration-text.ts";
import type { ExplainedTool } from "./explain-tree.ts";

/** What a tool does, who must agree, and every policy in force, in one line. */
export function explainToolLine(tool: ExplainedTool): string {
  const { name, use, effect, approval, deny, expiresMs, reason, isSet } = tool;
  const used = name === use ? name : `${name} (${use})`;
  const parts = [
    isSet ? "tools listed at run time" : effect,
    `approval ${approval}`,
    expiresMs === undefined ? "" : `expires ${durationText(expiresMs)}`,
    reason === undefined ? "" : `because "${reason}"`,
    deny === undefined ? "" : `denied when ${deny}`,
    ...policyParts(tool),
  ];
  return `${used}: ${parts.filter((part) => part !== "").join(", ")}`;
}

function policyParts(tool: ExplainedTool): readonly string[] {
  const { retry, rateLimit, breaker, limits, fallback } = tool;
  return [
    tool.timeoutMs === undefined ? "no timeout" : `timeout ${durationText(tool.timeoutMs)}`,
    tool.cacheMs === 0 ? "" : `cache ${durationText(tool.cacheMs)}`,
    retry === undefined
      ? ""
      : `retry ${retry.attempts} after ${durationText(retry.firstMs)} to ${durationText(retry.maxMs)}`,
    rateLimit === undefined ? "" : `rate ${rateLimit.count}/${durationText(rateLimit.perMs)}`,
    breaker === undefined
      ? ""
      : `rests ${durationText(breaker.restMs)} after ${breaker.failures} failures`,
    tool.maxParallel === undefined ? "" : `at most ${tool.maxParallel} at a time`,
    tool.coolDown === undefined ? "" : `cool-down ${tool.coolDown}`,
    tool.polls === true ? "may poll" : `repeat ${tool.repeat}`,
    `maxResult ${tool.maxResult}`,
    fallback === undefined ? "" : fallbackText(fallback),
    ...Object.entries(limits ?? {}).map(([key, value]: [string, number]) => `${key} ${value}`),
  ];
}

function fallbackText(fallback: NonNullable<ExplainedTool["fallback"]>): string {
  return "tool" in fallback ? `falls back to ${fallback.tool}` : `falls back to "${fallback.text}"`;
}
