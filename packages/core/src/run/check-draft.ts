import type { AnswerDraft } from "../contracts/state.ts";
import { InternalError, type SpecError } from "../errors/loopwright-error.ts";
import { applyChange } from "./apply-change.ts";
import { uncomputed } from "./compute.ts";
import { runChecks } from "./run-checks.ts";
import type { Frame } from "./run-scope.ts";

/** More at once helps no model. */
const maxTold = 10;

/** What checks found in an answer. */
export interface DraftFaults {
  /** In words for the model; empty for nothing. */
  readonly told: string;
  /** The first rule that can't be computed: the model's answer lacks what it reads, or the rule itself is wrong. */
  readonly broken?: SpecError;
}

/** What the checks of the spec's output find in an answer that is not given yet. */
export async function checkDraft(frame: Frame, answer: AnswerDraft): Promise<DraftFaults> {
  const checks = frame.run.linked.program.output?.checks ?? [];
  if (checks.length === 0) return { told: "" };
  const author = { stage: frame.scope.stage, model: "" };
  const state = applyChange(frame.state, { answer }, author, () => undefined);
  let broken: SpecError | undefined;
  const { issues } = await runChecks({ ...frame, state }, checks, refuseTools, (rule, fault) => {
    broken ??= uncomputed(frame, rule, fault);
  });
  const told = issues
    .slice(0, maxTold)
    .map(({ detail, requiredAction }) => `${detail} → ${requiredAction}`)
    .join("; ");
  return broken === undefined ? { told } : { told, broken };
}

/** A reply is judged before it is an answer: nothing is done for it. */
async function refuseTools(): Promise<never> {
  throw new InternalError(
    "contract-broken",
    "a check of `output.checks` can call no tools; name it in the checks of a `verify` stage",
  );
}
