import type { ToolPolicy } from "../program/program.ts";
import type { Json, JsonObject } from "../contracts/json.ts";
import type { Scope } from "../events/scope.ts";
import type { ReviewedInput } from "../run/people.ts";
import type { Expression } from "../spec/text/expression.ts";
import { durationText } from "../spec/text/duration-text.ts";
import type { Frame } from "../run/run-scope.ts";
import { frameView } from "../run/state-view.ts";
import { type Approval, askApproval } from "./ask-approval.ts";
import type { KnownCall } from "./known-call.ts";
import { readArguments } from "./read-arguments.ts";

/** Whether a call may go on, and with which arguments; or what the model is told. */
type Permission =
  | {
      readonly isPermitted: true;
      readonly input: JsonObject;
      /** What the model is told about arguments that a person changed. */
      readonly notes?: readonly string[];
    }
  | { readonly isPermitted: false; readonly denial: string };

/** True where no rule and no person is asked about any call. */
export function isFree({ deny, approval }: ToolPolicy): boolean {
  return deny === undefined && approval === "never";
}

/** Asks the spec's rules, then a person where they say so; what a person changes is held to the rules again. */
export async function permit(frame: Frame, scope: Scope, known: KnownCall): Promise<Permission> {
  const { policy, input } = known;
  const denial = ruleDenial(frame, known);
  if (denial !== undefined) return { isPermitted: false, denial };
  if (frame.run.dryRun || !needsApproval(policy, frame, input)) return { isPermitted: true, input };
  const review = (changed: Json): ReviewedInput => reviewInput(frame, known, changed);
  const approval = await askApproval(frame, scope, known, review);
  if (!approval.approved) return { isPermitted: false, denial: denialText(known, approval) };
  const { input: changed, reason } = approval;
  if (changed === undefined) return { isPermitted: true, input };
  const why = reason === "" ? "" : ` (${reason})`;
  const note = `a person changed the arguments of this call${why}; it was made with ${JSON.stringify(changed)}`;
  return { isPermitted: true, input: changed, notes: [note] };
}

/** What the model is told of a call that the spec forbids; undefined where it forbids nothing. */
export function ruleDenial(frame: Frame, known: KnownCall): string | undefined {
  const forbidden = forbiddenBy(frame, known, known.input);
  return forbidden === undefined ? undefined : `denied: ${forbidden}`;
}

function denialText({ entry, policy }: KnownCall, { by, reason }: Approval): string {
  const stop = "do not repeat it, say what was not done";
  if (by === "timeout") {
    const within = durationText(policy.expiresMs ?? 0);
    return `denied: nobody approved this call of ${entry.name} within ${within}, so it was not made; ${stop}`;
  }
  const why = reason === "" ? "" : ` (${reason})`;
  return `denied: a person did not approve this call of ${entry.name}${why}; ${stop}`;
}

/** Arguments that a person typed are read as those of a model are, and no rule of the spec gives way to them. */
function reviewInput(frame: Frame, known: KnownCall, changed: Json): ReviewedInput {
  const { entry } = known;
  const text = JSON.stringify(changed);
  const read = readArguments(text, entry.input, entry.definition.normalize);
  if (!read.ok) return { isFit: false, problem: read.message };
  const forbidden = forbiddenBy(frame, known, read.input);
  return forbidden === undefined
    ? { isFit: true, input: read.input }
    : { isFit: false, problem: forbidden };
}

function forbiddenBy(
  frame: Frame,
  { entry, policy: { deny } }: KnownCall,
  input: JsonObject,
): string | undefined {
  if (deny === undefined || !holdsOrFails(deny, frame, input)) return undefined;
  return `the spec forbids this call of ${entry.name} (\`${deny.source}\`)`;
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
