import type { ToolEntry, ToolPolicy } from "../compile/program.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { ToolCall } from "../contracts/message.ts";
import { isLoopwrightError, messageOf, ToolError } from "../errors/loopwright-error.ts";
import type { Scope } from "../events/scope.ts";
import { nearestNames } from "../spec/text/suggest.ts";
import type { Expression } from "../spec/text/expression.ts";
import { stateView } from "../run/state-view.ts";
import { followSignal } from "../run/follow-signal.ts";
import type { Frame } from "../run/run-scope.ts";
import { untilAborted } from "../run/until-aborted.ts";
import { describeMisfits, misfits } from "../validation/json-validator.ts";
import { askApproval } from "./ask-approval.ts";
import { readArguments } from "./read-arguments.ts";
import { formatOutput, refused, succeeded, type ToolResult } from "./tool-result.ts";

/** Takes one call through the pipeline: name, arguments, permission, cache, timeout, execution, output, format; a failure is a result. */
export async function callTool(frame: Frame, scope: Scope, call: ToolCall): Promise<ToolResult> {
  const entry = findTool(frame, call.name);
  if (entry === undefined) return unknownTool(frame, call);
  const read = readArguments(call.arguments, entry.input);
  if (!read.ok)
    return refused(call.arguments, "tool-arguments-invalid", `${entry.name}: ${read.message}`);
  return callKnownTool(frame, scope, entry, policyOf(frame, entry), call, read.input);
}

async function callKnownTool(
  frame: Frame,
  scope: Scope,
  entry: ToolEntry,
  policy: ToolPolicy,
  call: ToolCall,
  input: JsonObject,
): Promise<ToolResult> {
  const denial = await permission(frame, scope, entry, policy, input);
  if (denial !== undefined) return refused(input, "tool-failed", denial);
  if (frame.run.dryRun && policy.effect !== "read") {
    frame.run.bus.emit("effect.stubbed", { tool: entry.name, input }, scope);
    return succeeded(
      input,
      `dry run: ${entry.name} was not executed; it would have been called with ${JSON.stringify(input)}`,
    );
  }
  const cacheKey =
    policy.cacheMs > 0 && policy.effect === "read"
      ? `${entry.name} ${JSON.stringify(input)}`
      : undefined;
  const { cache } = frame.run.linked;
  const { clearCount } = cache;
  const known = cacheKey === undefined ? undefined : cache.get(cacheKey);
  if (known !== undefined) return succeeded(input, known, { cached: true });
  try {
    const content = await execute(frame, entry, policy, call, input, scope.key);
    // What was on its way while an effect cleared the cache may be old already.
    if (cacheKey !== undefined && cache.clearCount === clearCount)
      cache.set(cacheKey, content, policy.cacheMs);
    return succeeded(input, content);
  } catch (thrown) {
    frame.signal.throwIfAborted();
    return standIn(frame, scope, entry, policy, call, input, thrown);
  } finally {
    // What a tool changed may be what an earlier read told.
    if (policy.effect !== "read") cache.clear();
  }
}

/** The policy of a tool in this stage. */
function policyOf(frame: Frame, entry: ToolEntry): ToolPolicy {
  return frame.node?.policies[entry.name] ?? entry.policy;
}

/** The stage's tool of that name, on the wire or in the spec; never a near one. */
function findTool(frame: Frame, name: string): ToolEntry | undefined {
  const { tools } = frame.run.linked.program;
  const allowed = frame.node?.tools ?? [];
  return allowed
    .map((id) => tools.get(id))
    .find((entry) => entry !== undefined && (entry.wireName === name || entry.name === name));
}

function unknownTool(frame: Frame, call: ToolCall): ToolResult {
  const names = (frame.node?.tools ?? []).map(
    (id) => frame.run.linked.program.tools.get(id)?.wireName ?? id,
  );
  const near = nearestNames(call.name, names);
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}? ` : "";
  return refused(
    call.arguments,
    "tool-failed",
    `there is no tool \`${call.name}\`; ${hint}tools here: ${names.join(", ") || "none"}`,
  );
}

/** Undefined when the call may go on; else what the model is told. */
async function permission(
  frame: Frame,
  scope: Scope,
  entry: ToolEntry,
  policy: ToolPolicy,
  input: JsonObject,
): Promise<string | undefined> {
  const view = { ...stateView(frame.state), args: input };
  if (policy.deny !== undefined && holdsOrFails(policy.deny, view)) {
    return `denied: the spec forbids this call of ${entry.name} (\`${policy.deny.source}\`)`;
  }
  const needed =
    typeof policy.approval === "object"
      ? holdsOrFails(policy.approval.when, view)
      : policy.approval === "always";
  if (!needed || frame.run.dryRun) return undefined;
  const reply = await askApproval(frame, scope, entry.name, input);
  if (reply.approved) return undefined;
  return `denied: a person did not approve this call of ${entry.name}${reply.reason === "" ? "" : ` (${reply.reason})`}; do not repeat it, say what was not done`;
}

/** A condition that can't be computed for these arguments counts as met: nothing slips through. */
function holdsOrFails(condition: Expression, view: JsonObject): boolean {
  try {
    return condition.evaluate(view) !== false;
  } catch {
    return true;
  }
}

async function execute(
  frame: Frame,
  entry: ToolEntry,
  policy: ToolPolicy,
  call: ToolCall,
  input: JsonObject,
  key: string,
): Promise<string> {
  const { instances, clock } = frame.run.linked;
  const { controller, release } = followSignal(frame.signal);
  const { signal } = controller;
  const cancel = clock.after(policy.timeoutMs, () =>
    controller.abort(
      new ToolError("tool-timeout", `${entry.name} did not answer within ${policy.timeoutMs} ms`, {
        retryable: true,
      }),
    ),
  );
  const context = {
    signal,
    runId: frame.run.id,
    callId: call.id,
    idempotencyKey: `${frame.run.id}/${key}`,
  };
  try {
    const run = instances.tool(entry);
    // A copy: the record of the call stays what the model asked for, whatever the tool makes of it.
    const output = await untilAborted(() => run(copyOf(input) as never, context), signal);
    checkOutput(entry, output);
    return formatOutput(output, policy.maxResult);
  } finally {
    cancel();
    release();
  }
}

/** Arguments are plain JSON, so its text is a copy; `structuredClone` takes ten times as long. */
function copyOf(input: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(input)) as JsonObject;
}

function checkOutput(entry: ToolEntry, output: unknown): void {
  if (entry.definition.output === undefined) return;
  const list = misfits(output, entry.definition.output);
  if (list.length > 0)
    throw new ToolError(
      "tool-failed",
      `${entry.name} returned something else than it declares: ${describeMisfits(list)}`,
    );
}

/** A tool failed: its declared fallback stands in, marked as degraded; else the model is told the failure. */
async function standIn(
  frame: Frame,
  scope: Scope,
  entry: ToolEntry,
  policy: ToolPolicy,
  call: ToolCall,
  input: JsonObject,
  thrown: unknown,
): Promise<ToolResult> {
  const code = isLoopwrightError(thrown) ? thrown.code : "tool-failed";
  const message = frame.run.linked.redactor.text(messageOf(thrown));
  const fault = { code, message };
  const { fallback } = policy;
  if (fallback === undefined) return refused(input, code, `${entry.name} failed: ${message}`);
  if ("text" in fallback) {
    return {
      ...succeeded(input, `${entry.name} is not available; instead: ${fallback.text}`, {
        degraded: true,
      }),
      fault,
    };
  }
  const other = frame.run.linked.program.tools.get(fallback.tool);
  if (other === undefined) return refused(input, code, `${entry.name} failed: ${message}`);
  const read = readArguments(JSON.stringify(input), other.input);
  if (!read.ok)
    return refused(
      input,
      code,
      `${entry.name} failed: ${message}; its fallback ${other.name} takes other arguments`,
    );
  const result = await callKnownTool(
    frame,
    scope,
    other,
    withoutTool(policyOf(frame, other)),
    call,
    read.input,
  );
  return { ...result, degraded: result.ok, fault };
}

/** A stand-in may end in a text, not in a third tool: chains could go in circles. */
function withoutTool(policy: ToolPolicy): ToolPolicy {
  const { fallback, ...rest } = policy;
  return fallback !== undefined && "text" in fallback ? policy : rest;
}
