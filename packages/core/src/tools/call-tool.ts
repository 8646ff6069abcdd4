import type { ToolPolicy } from "../program/program.ts";
import type { ToolCall } from "../contracts/message.ts";
import { isLoopwrightError, messageOf } from "../errors/loopwright-error.ts";
import type { Scope } from "../events/scope.ts";
import { nearestNames } from "../spec/text/suggest.ts";
import type { Frame } from "../run/run-scope.ts";
import { executeTool, OutputError, readOutput } from "./execute-tool.ts";
import type { KnownCall } from "./known-call.ts";
import { denialOf, isFree } from "./permission.ts";
import { readArguments } from "./read-arguments.ts";
import { findTool, policyOf, stageTools } from "./stage-tool.ts";
import {
  cutShort,
  cutText,
  refused,
  type StandIn,
  succeeded,
  type ToolResult,
} from "./tool-result.ts";

/** Takes one call through the pipeline: name, arguments, permission, cache, timeout, execution, output, format; a failure is a result. */
export function callTool(
  frame: Frame,
  scope: Scope,
  call: ToolCall,
): ToolResult | Promise<ToolResult> {
  const entry = findTool(frame, call.name);
  if (entry === undefined) return unknownTool(frame, call);
  const read = readArguments(call.arguments, entry.input);
  if (!read.ok)
    return refused(call.arguments, "tool-arguments-invalid", `${entry.name}: ${read.message}`);
  return callKnownTool(frame, scope, {
    entry,
    policy: policyOf(frame, entry),
    callId: call.id,
    input: read.input,
  });
}

/** Takes the call of a tool that stands in for a failed one through the same pipeline. */
export function callStandIn(
  frame: Frame,
  scope: Scope,
  call: ToolCall,
  { entry, input }: StandIn,
): Promise<ToolResult> {
  const policy = withoutTool(policyOf(frame, entry));
  return callKnownTool(frame, scope, { entry, policy, callId: call.id, input });
}

async function callKnownTool(frame: Frame, scope: Scope, known: KnownCall): Promise<ToolResult> {
  const { entry, policy, input } = known;
  const denial = isFree(policy) ? undefined : await denialOf(frame, scope, known);
  if (denial !== undefined) return refused(input, "tool-failed", denial);
  if (frame.run.dryRun && policy.effect !== "read") {
    frame.run.bus.emit("effect.stubbed", { tool: entry.name, input }, scope);
    return succeeded(
      input,
      `dry run: ${entry.name} was not executed; it would have been called with ${JSON.stringify(input)}`,
    );
  }
  const { cache, clock } = frame.run.linked;
  const { clearCount } = cache;
  const isCached = policy.cacheMs > 0 && policy.effect === "read";
  const cacheKey = isCached ? `${entry.name} ${JSON.stringify(input)}` : undefined;
  const kept = cacheKey === undefined ? undefined : cache.get(cacheKey);
  if (kept !== undefined && clock.now() - kept.time < policy.cacheMs)
    return succeeded(input, cutText(kept.text, policy.maxResult), { cached: true });
  frame.signal.throwIfAborted();
  try {
    const output = await executeTool(frame, known, scope.key);
    const text = readOutput(entry, output);
    // What was on its way while an effect cleared the cache may be old already.
    if (cacheKey !== undefined && cache.clearCount === clearCount) cache.set(cacheKey, text);
    return succeeded(input, cutText(text, policy.maxResult));
  } catch (thrown) {
    if (frame.signal.aborted) return leftBehind(known, frame.signal.reason);
    return failed(frame, known, thrown);
  } finally {
    // What a tool changed may be what an earlier read told.
    if (policy.effect !== "read") cache.clear();
  }
}

function unknownTool(frame: Frame, call: ToolCall): ToolResult {
  const names = stageTools(frame).map(({ wireName }) => wireName);
  const near = nearestNames(call.name, names);
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}? ` : "";
  return refused(
    call.arguments,
    "tool-failed",
    `there is no tool \`${call.name}\`; ${hint}tools here: ${names.join(", ") || "none"}`,
  );
}

/** The work ended while the call was on its way. */
function leftBehind({ entry, policy, input }: KnownCall, reason: unknown): ToolResult {
  const message =
    policy.effect === "read"
      ? `${entry.name} was not finished when the work had to end`
      : `${entry.name} was on its way when the work had to end: it is not known whether it took effect; do not repeat it without looking`;
  return cutShort(input, message, reason);
}

/** A tool failed: its declared fallback stands in, marked as degraded; else the model is told the failure. */
function failed(frame: Frame, { entry, policy, input }: KnownCall, thrown: unknown): ToolResult {
  const code = isLoopwrightError(thrown) ? thrown.code : "tool-failed";
  const message = frame.run.linked.redactor.text(messageOf(thrown));
  const isAfterEffect =
    policy.effect !== "read" && (code === "tool-timeout" || thrown instanceof OutputError);
  const told = isAfterEffect
    ? `${message}: it may have taken effect; do not repeat it without looking`
    : `${entry.name} failed: ${message}`;
  const failure = { ...refused(input, code, told), fault: { code, message } };
  const { fallback } = policy;
  if (fallback === undefined) return failure;
  if ("text" in fallback) {
    const why = isAfterEffect ? told : `${entry.name} is not available`;
    return { ...failure, content: `${why}; instead: ${fallback.text}`, ok: true, degraded: true };
  }
  const other = frame.run.linked.program.tools.get(fallback.tool);
  if (other === undefined) return failure;
  const read = readArguments(JSON.stringify(input), other.input);
  return read.ok
    ? { ...failure, standIn: { entry: other, input: read.input, isAfterEffect } }
    : { ...failure, content: `${told}; its fallback ${other.name} takes other arguments` };
}

/** A stand-in may end in a text, not in a third tool: chains could go in circles. */
function withoutTool(policy: ToolPolicy): ToolPolicy {
  const { fallback, ...rest } = policy;
  return fallback !== undefined && "text" in fallback ? policy : rest;
}
