import type { StateField } from "../contracts/state.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { Expression } from "../spec/text/expression.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import type { CompiledSequence, CompiledStage } from "../program/program.ts";

/** What is written for sure, and what may be, before a place in the program. */
interface Written {
  readonly must: ReadonlySet<StateField>;
  readonly may: ReadonlySet<StateField>;
  /** As `may`, and what a later round of the loop around may have written; for guards. */
  readonly loose: ReadonlySet<StateField>;
}

interface FlowContext {
  readonly diagnostics: Diagnostics;
  readonly all: readonly CompiledStage[];
  /** Where each guard is said, by stage id. */
  readonly guards: ReadonlyMap<string, SpecNode>;
}

/** Checks, over sequences, guards and slots, that everything a stage needs was written before it. */
export function checkFlow(
  program: CompiledSequence,
  stages: ReadonlyMap<string, CompiledStage>,
  guards: ReadonlyMap<string, SpecNode>,
  diagnostics: Diagnostics,
): void {
  const nothing: Written = { must: new Set(), may: new Set(), loose: new Set() };
  walkSequence(program, nothing, { diagnostics, all: [...stages.values()], guards });
}

function walkSequence(sequence: CompiledSequence, before: Written, context: FlowContext): Written {
  return sequence.stages.reduce((written, stage) => walkStage(stage, written, context), before);
}

function walkStage(stage: CompiledStage, before: Written, context: FlowContext): Written {
  if (stage.when !== undefined) checkGuard(stage, stage.when, before, context);
  checkNeeds(stage, before, context);
  let current = before;
  for (const [name, declaration] of Object.entries(stage.definition.slots)) {
    const slot = stage.slots[name];
    if (slot === undefined) continue;
    const inner = walkSequence(slot, enterSlot(slot, current, declaration.provides), context);
    const isSure = declaration.runs === "always" && !declaration.sampled;
    current = {
      must: isSure ? inner.must : current.must,
      may: inner.may,
      loose: union(current.loose, inner.may),
    };
  }
  const { sets = [], maySet = [] } = stage.flow;
  const written = [...sets, ...maySet];
  const isSure = stage.when === undefined && stage.onError === "fail";
  return {
    must: isSure ? union(current.must, sets) : before.must,
    may: union(current.may, written),
    loose: union(current.loose, written),
  };
}

// A slot may run again, so that its guards can see what it wrote in an earlier round.
function enterSlot(
  slot: CompiledSequence,
  before: Written,
  provides: readonly StateField[],
): Written {
  return {
    must: union(before.must, provides),
    may: union(before.may, provides),
    loose: union(union(before.loose, provides), writesOf(slot)),
  };
}

function writesOf(sequence: CompiledSequence): readonly StateField[] {
  return sequence.stages.flatMap((stage) => [
    ...(stage.flow.sets ?? []),
    ...(stage.flow.maySet ?? []),
    ...Object.values(stage.slots).flatMap(writesOf),
  ]);
}

function checkNeeds(stage: CompiledStage, before: Written, context: FlowContext): void {
  for (const field of stage.flow.needs ?? []) {
    if (before.must.has(field)) continue;
    const name = stage.definition.id;
    if (before.may.has(field)) {
      const message = `\`${name}\` reads \`${field}\`, which may be missing: ${writers(field, context.all, "it is written only under a condition, by")}`;
      context.diagnostics.warn("LW-FLOW-MAYBE-MISSING", placeOf(stage), message);
    } else {
      const message = `\`${name}\` reads \`${field}\`, which no earlier stage writes; ${writers(
        field,
        context.all.filter((other) => other !== stage),
        "writers here:",
      )}`;
      context.diagnostics.error(
        "LW-FLOW-NEVER-WRITTEN",
        placeOf(stage),
        message,
        `put a stage that writes \`${field}\` before it`,
      );
    }
  }
}

function writers(field: StateField, stages: readonly CompiledStage[], words: string): string {
  const found = stages.filter(({ flow }) =>
    [...(flow.sets ?? []), ...(flow.maySet ?? [])].includes(field),
  );
  if (found.length === 0) return "no stage of this spec does";
  return `${words} ${found.map((stage) => `\`${stage.id}\` (line ${stage.position.line})`).join(", ")}`;
}

function checkGuard(
  stage: CompiledStage,
  guard: Expression,
  before: Written,
  context: FlowContext,
): void {
  const readsVerdict = guard.paths.some(
    (path) => path === "verdict" || path.startsWith("verdict."),
  );
  if (!readsVerdict || before.loose.has("verdict")) return;
  const message = `the guard of \`${stage.id}\` reads \`verdict\` before any stage can write one; it sees \`none\``;
  context.diagnostics.warn(
    "LW-FLOW-MAYBE-MISSING",
    context.guards.get(stage.id) ?? placeOf(stage),
    message,
  );
}

function placeOf(stage: CompiledStage): CompiledStage["position"] & { readonly path: string } {
  return { ...stage.position, path: stage.path };
}

function union<T>(first: Iterable<T>, second: Iterable<T>): ReadonlySet<T> {
  return new Set([...first, ...second]);
}
