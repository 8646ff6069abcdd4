import type { CompiledSequence, CompiledStage } from "../../program/program.ts";
import type { Expression } from "../../spec/text/expression.ts";
import { entry } from "../../spec/text/spec-node.ts";
import { ownGenerations } from "../stage-bounds.ts";
import {
  allStages,
  childrenOf,
  type FlowContext,
  placeOf,
  type SlotChild,
} from "./flow-context.ts";

/** What a condition comes to that reads nothing; undefined where it depends on the run. */
export function constantOf(condition: Expression): boolean | undefined {
  if (condition.paths.length > 0) return undefined;
  try {
    const value = condition.evaluate({});
    return typeof value === "boolean" ? value : undefined;
  } catch {
    // It fails in every run, which the stage itself tells.
    return undefined;
  }
}

/** Whether a guard is false in every run. */
export function neverHolds(guard: Expression): boolean {
  return constantOf(guard) === false;
}

/** Notes that stages, and those inside them, never run. */
export function leaveOut(sequence: CompiledSequence, { idle }: FlowContext): void {
  for (const stage of allStages(sequence)) idle.add(stage);
}

/** Reports a stage whose guard is never true. */
export function reportSkipped(stage: CompiledStage, context: FlowContext): void {
  const site = context.sites.get(stage.id);
  context.diagnostics.warn(
    "LW-FLOW-UNREACHABLE",
    (site && entry(site.settings, "when")) ?? placeOf(stage),
    `\`${stage.id}\` can never run: its guard is never true`,
    "delete the stage, or write a guard that can be true",
  );
}

/** Reports the first stage after one that surely ends the run. */
export function reportUnreached(
  stage: CompiledStage,
  ender: CompiledStage,
  { diagnostics }: FlowContext,
): void {
  diagnostics.warn(
    "LW-FLOW-UNREACHABLE",
    placeOf(stage),
    `\`${stage.id}\` can never run: \`${ender.id}\` (line ${ender.position.line}) always ends the run before it`,
    `give \`${ender.id}\` a guard (\`when:\`), or delete what stands after it`,
  );
}

/** Reports an alternative that a constant condition never takes. */
export function reportNeverTaken(
  owner: CompiledStage,
  { slot, sequence }: SlotChild,
  value: boolean,
  context: FlowContext,
): void {
  const [first] = sequence.stages;
  if (first === undefined) return;
  leaveOut(sequence, context);
  context.diagnostics.warn(
    "LW-FLOW-UNREACHABLE",
    placeOf(first),
    `\`${slot}\` of \`${owner.id}\` can never run: its \`if\` is always ${value}`,
    "write a condition that depends on the run, or keep the other way alone",
  );
}

/** Whether a sequence surely ends well or ends the run, so that nothing is tried after it. */
export function neverFails({ stages }: CompiledSequence, context: FlowContext): boolean {
  for (const stage of stages) {
    const { id, onError, when, flow } = stage;
    if (context.unsound.has(id)) return false;
    if (flow.stops === "always" && when === undefined) return true;
    if (onError !== "continue" && !triesWhatNeverFails(stage, context)) return false;
  }
  return true;
}

/** Whether a stage does nothing but try stages in order, one of which never fails. */
function triesWhatNeverFails(stage: CompiledStage, context: FlowContext): boolean {
  const { definition, options, when, slots } = stage;
  // A guard may fail itself.
  if (when !== undefined || ownGenerations(definition, options, Object.keys(slots))[1] > 0)
    return false;
  const children = childrenOf(stage);
  return (
    children.every(({ slot }) => definition.slots[slot]?.form === "listed") &&
    children.some(({ sequence }) => neverFails(sequence, context))
  );
}

/** Reports the alternatives behind the first one, which never fails. */
export function reportNeverTried(
  owner: CompiledStage,
  [first, ...others]: readonly SlotChild[],
  context: FlowContext,
): void {
  const [stage] = first?.sequence.stages ?? [];
  const [unreached] = others.flatMap(({ sequence }) => sequence.stages);
  if (stage === undefined || unreached === undefined) return;
  for (const { sequence } of others) leaveOut(sequence, context);
  const isTry = triesWhatNeverFails(stage, context);
  const why =
    stage.onError === "continue"
      ? "its `onError: continue` lets no failure out"
      : isTry
        ? "one of its own tries never fails"
        : "it ends the run";
  context.diagnostics.warn(
    "LW-FLOW-UNREACHABLE",
    placeOf(unreached),
    `\`${unreached.id}\` can never run: \`${stage.id}\` (line ${stage.position.line}) stands before it in \`${owner.id}\` and never fails: ${why}`,
    stage.onError === "continue"
      ? `take \`onError\` away from \`${stage.id}\`, or delete what stands after it`
      : `let \`${stage.id}\` stand last, or delete what stands after it`,
  );
}
