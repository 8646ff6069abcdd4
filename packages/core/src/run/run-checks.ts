import type { CheckEntry } from "../program/program.ts";
import type { CheckContext, CheckResult } from "../contracts/check.ts";
import type { Json } from "../contracts/json.ts";
import type { CheckReference } from "../contracts/schema.ts";
import type { Issue, Observation, RunState } from "../contracts/state.ts";
import type { ChecksResult } from "../contracts/strategy-context.ts";
import { InternalError, LimitError, messageOf } from "../errors/loopwright-error.ts";
import { knownEvidence } from "./evidence-citations.ts";
import { renderOptions } from "./render-options.ts";
import type { Frame } from "./run-scope.ts";
import { frameView } from "./state-view.ts";
import { untilAborted } from "../calls/until-aborted.ts";
import { type Expression, ExpressionError } from "../spec/text/expression.ts";

/** Told of an expression of the spec that can't be computed, and why. */
export type OnUncomputed = (expression: Expression, fault: ExpressionError) => void;

/** Runs checks in order and joins what they find; a check that throws counts as an issue that says so. */
export async function runChecks(
  frame: Frame,
  references: readonly CheckReference[],
  callTools: CheckContext["callTools"],
  onUncomputed: OnUncomputed = () => undefined,
): Promise<ChecksResult> {
  const results: CheckResult[] = [];
  for (const reference of references) {
    const entry = frame.run.linked.program.checks[reference.instance];
    if (entry === undefined)
      throw new InternalError(
        "contract-broken",
        `check ${reference.check} is not part of the program`,
      );
    results.push(await runCheck(frame, entry, callTools, onUncomputed));
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
  onUncomputed: OnUncomputed,
): Promise<CheckResult> {
  const { program, instances } = frame.run.linked;
  const context: CheckContext = {
    evaluate: (source) => evaluateIn(frame, expressionOf(frame, entry, source), onUncomputed),
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

function evaluateIn(frame: Frame, expression: Expression, onUncomputed: OnUncomputed): Json {
  try {
    return expression.evaluate(frameView(frame));
  } catch (fault) {
    if (fault instanceof ExpressionError) onUncomputed(expression, fault);
    throw fault;
  }
}

/** An expression of a check; constraints of the task carry rules of their own, which checks evaluate too. */
function expressionOf(frame: Frame, entry: CheckEntry, source: string): Expression {
  const { constraints } = frame.run.linked.program.task;
  const found =
    entry.expressions.get(source) ??
    constraints.find((constraint) => constraint.rule?.source === source)?.rule;
  if (found !== undefined) return found;
  throw new InternalError(
    "contract-broken",
    `the expression \`${source}\` is not part of the program`,
  );
}

function brokenCheck(entry: CheckEntry, thrown: unknown): Issue {
  return {
    kind: "check-failed",
    detail: `the check \`${entry.definition.id}\` could not be decided: ${messageOf(thrown)}`,
    requiredAction: "give an answer in the form that the check can read",
    needs: "rewrite",
  };
}
