import type { AnswerDraft } from "../contracts/state.ts";
import { InternalError } from "../errors/loopwright-error.ts";
import { applyChange } from "./apply-change.ts";
import { runChecks } from "./run-checks.ts";
import type { Frame } from "./run-scope.ts";

/** More at once helps no model. */
const maxTold = 10;

/** What the checks of the spec's output find in an answer that is not given yet, in words for the model; empty for nothing. */
export async function checkDraft(frame: Frame, answer: AnswerDraft): Promise<string> {
  const checks = frame.run.linked.program.output?.checks ?? [];
  if (checks.length === 0) return "";
  const author = { stage: frame.scope.stage, model: "" };
  const state = applyChange(frame.state, { answer }, author, () => undefined);
  const { issues } = await runChecks({ ...frame, state }, checks, refuseTools);
  const told = issues.slice(0, maxTold);
  return told.map(({ detail, requiredAction }) => `${detail} → ${requiredAction}`).join("; ");
}

/** A reply is judged before it is an answer: nothing is done for it. */
async function refuseTools(): Promise<never> {
  throw new InternalError(
    "contract-broken",
    "a check of `output.checks` can call no tools; name it in the checks of a `verify` stage",
  );
}
