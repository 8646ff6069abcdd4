import type { ToolPolicy } from "../program/program.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { Scope } from "../events/scope.ts";
import type { Expression } from "../spec/text/expression.ts";
import type { Frame } from "../run/run-scope.ts";
import { frameView } from "../run/state-view.ts";
import { askApproval } from "./ask-approval.ts";
import type { KnownCall } from "./known-call.ts";

/** True where no rule and no person is asked about any call. */
export function isFree({ deny, approval }: ToolPolicy): boolean {
  return deny === undefined && approval === "never";
}

/** Undefined when the call may go on; else what the model is told. */
export async function denialOf(
  frame: Frame,
  scope: Scope,
  { entry, policy, input }: KnownCall,
): Promise<string | undefined> {
  const { deny } = policy;
  if (deny !== undefined && holdsOrFails(deny, frame, input))
    return `denied: the spec forbids this call of ${entry.name} (\`${deny.source}\`)`;
  if (frame.run.dryRun || !needsApproval(policy, frame, input)) return undefined;
  const reply = await askApproval(frame, scope, entry.name, input);
  if (reply.approved) return undefined;
  return `denied: a person did not approve this call of ${entry.name}${reply.reason === "" ? "" : ` (${reply.reason})`}; do not repeat it, say what was not done`;
}

function needsApproval({ approval }: ToolPolicy, frame: Frame, input: JsonObject): boolean {
  return typeof approval === "object"
    ? holdsOrFails(approval.when, frame, input)
    : approval === "always";
}

/** A condition that can't be computed for these arguments counts as met: nothing slips through. */
function holdsOrFails(condition: Expression, frame: Frame, input: JsonObject): boolean {
  try {
    return condition.evaluate({ ...frameView(frame), args: input }) !== false;
  } catch {
    return true;
  }
}
