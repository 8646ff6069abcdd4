import type { CheckEntry } from "../program/program.ts";
import type { CheckContext, CheckResult } from "../contracts/check.ts";
import type { Json } from "../contracts/json.ts";
import type { CheckReference } from "../contracts/schema.ts";
import type { Issue, Observation, RunState } from "../contracts/state.ts";
import type { ChecksResult } from "../contracts/strategy.ts";
import { InternalError, LimitError, messageOf } from "../errors/loopwright-error.ts";
import { knownEvidence } from "./evidence-citations.ts";
import { renderOptions } from "./render-options.ts";
import type { Frame } from "./run-scope.ts";
import { frameView } from "./state-view.ts";
import { untilAborted } from "../calls/until-aborted.ts";

/** Runs checks in order and joins what they find; a check that throws counts as an issue that says so. */
export async function runChecks(
  frame: Frame,
  references: readonly CheckReference[],
  callTools: CheckContext["callTools"],
): Promise<ChecksResult> {
  const results: CheckResult[] = [];
  for (const reference of references) {
    const entry = frame.run.linked.program.checks[reference.instance];
    if (entry === undefined)
      throw new InternalError(
        "contract-broken",
        `check ${reference.check} is not part of the program`,
      );
    results.push(await runCheck(frame, entry, callTools));
  }
  const supported = results.flatMap((result) => result.supportedEvidence ?? []);
  return {
    issues: results.flatMap((result) => result.issues),
    supportedEvidence: knownEvidence(supported, frame.state.observations).known,
    unchecked: results.flatMap((result) => result.unchecked ?? []),
  };
}

async function runCheck(
  frame: Frame,
  entry: CheckEntry,
  callTools: CheckContext["callTools"],
): Promise<CheckResult> {
  const { program, instances } = frame.run.linked;
  const context: CheckContext = {
    evaluate: (source) => evaluateIn(frame, entry, source),
    callTools: (calls): Promise<readonly Observation[]> => callTools(calls),
    ...(program.output === undefined ? {} : { outputSchema: program.output.schema }),
  };
  try {
    const run = entry.definition.run as (
      state: RunState,
      ...rest: unknown[]
    ) => CheckResult | Promise<CheckResult>;
    const options = renderOptions(frame, entry.options, entry.templates);
    return await untilAborted(
      () => run(frame.state, context, options, instances.services(entry)),
      frame.signal,
    );
  } catch (thrown) {
    if (frame.signal.aborted || thrown instanceof LimitError) throw thrown;
    return { issues: [brokenCheck(entry, thrown)] };
  }
}

function evaluateIn(frame: Frame, entry: CheckEntry, source: string): Json {
  const expression = entry.expressions.get(source);
  if (expression !== undefined) return expression.evaluate(frameView(frame));
  return evaluateConstraint(frame, source);
}

/** Constraints of the task carry rules of their own, which checks evaluate too. */
function evaluateConstraint(frame: Frame, source: string): Json {
  const rule = frame.run.linked.program.task.constraints.find(
    (constraint) => constraint.rule?.source === source,
  )?.rule;
  if (rule === undefined)
    throw new InternalError(
      "contract-broken",
      `the expression \`${source}\` is not part of the program`,
    );
  return rule.evaluate(frameView(frame));
}

function brokenCheck(entry: CheckEntry, thrown: unknown): Issue {
  return {
    kind: "check-failed",
    detail: `the check \`${entry.definition.id}\` could not be decided: ${messageOf(thrown)}`,
    requiredAction: "give an answer in the form that the check can read",
    needs: "rewrite",
  };
}
