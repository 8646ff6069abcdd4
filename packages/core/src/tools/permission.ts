import type { ToolPolicy } from "../program/program.ts";
import type { Json, JsonObject } from "../contracts/json.ts";
import { definePrompt } from "../contracts/prompt.ts";
import type { Scope } from "../events/scope.ts";
import { say } from "../run/language-of.ts";
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
  if (!approval.approved) return { isPermitted: false, denial: denialText(frame, known, approval) };
  const { input: changed, reason } = approval;
  if (changed === undefined) return { isPermitted: true, input };
  const why = reason === "" ? "" : ` (${reason})`;
  const note = say(frame, CHANGED, { why, input: JSON.stringify(changed) });
  return { isPermitted: true, input: changed, notes: [note] };
}

/** What the model is told of a call that the spec forbids; undefined where it forbids nothing. */
export function ruleDenial(frame: Frame, known: KnownCall): string | undefined {
  const forbidden = forbiddenBy(frame, known, known.input);
  return forbidden === undefined ? undefined : say(frame, DENIED, { why: forbidden });
}

function denialText(frame: Frame, { entry, policy }: KnownCall, { by, reason }: Approval): string {
  const tool = entry.name;
  if (by === "timeout")
    return say(frame, NOT_APPROVED_IN_TIME, { tool, within: durationText(policy.expiresMs ?? 0) });
  return say(frame, NOT_APPROVED, { tool, why: reason === "" ? "" : ` (${reason})` });
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
  return say(frame, FORBIDDEN, { tool: entry.name, rule: deny.source });
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

const CHANGED = definePrompt({
  en: "a person changed the arguments of this call{{why}}; it was made with {{input}}",
  zh: "有人修改了这次调用的参数{{why}}；实际以 {{input}} 调用",
});
const DENIED = definePrompt({ en: "denied: {{why}}", zh: "被拒绝：{{why}}" });
const FORBIDDEN = definePrompt({
  en: "the spec forbids this call of {{tool}} (`{{rule}}`)",
  zh: "规范禁止这样调用 {{tool}}（`{{rule}}`）",
});
const NOT_APPROVED = definePrompt({
  en: "denied: a person did not approve this call of {{tool}}{{why}}; do not repeat it, say what was not done",
  zh: "被拒绝：对 {{tool}} 的这次调用没有得到批准{{why}}；不要重复调用，请说明哪些事没有做",
});
const NOT_APPROVED_IN_TIME = definePrompt({
  en: "denied: nobody approved this call of {{tool}} within {{within}}, so it was not made; do not repeat it, say what was not done",
  zh: "被拒绝：在 {{within}} 内没有人批准对 {{tool}} 的这次调用，因此没有执行；不要重复调用，请说明哪些事没有做",
});
