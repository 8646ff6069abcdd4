import { setValues, type SetValue } from "../spec/document/apply-overrides.ts";
import { readDocument, type SpecDocument } from "../spec/document/read-document.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import { canonicalSpec, type Draft } from "./canonical-spec.ts";
import { checkRequirements } from "./check-requirements.ts";
import { checkSchemas } from "./check-schemas.ts";
import type { CompileContext } from "./compile-context.ts";
import { compileSections } from "./compile-sections.ts";
import { flattenStages, readStages, type ReadStage } from "./read-stages.ts";
import type { Program } from "../program/program.ts";
import { checkLimits, checkPrices, reachableModels } from "./program-bounds.ts";
import { hashOf } from "./program-hash.ts";
import { checkFlow } from "./stage-flow.ts";
import { overrideStages } from "./stage-overrides.ts";

/** A spec that was read, with what the command sets over it. */
export interface PassInput {
  readonly node: SpecNode;
  /** As diagnostics call it; absolute for a file. */
  readonly file: string;
  readonly overrides: readonly SetValue[];
}

/** Compiles a spec with the plugins that are loaded; undefined where there are errors, or plugins yet to load. */
export function compilePass(input: PassInput, context: CompileContext): Program | undefined {
  const { diagnostics } = context;
  const [stageValues, specValues] = splitOverrides(input.overrides);
  const node =
    input.node.kind === "map" ? setValues(input.node, specValues, diagnostics) : input.node;
  const document = readDocument(node, diagnostics);
  if (document === undefined) return undefined;
  const strategy = document.section("strategy");
  const linked =
    strategy === undefined
      ? []
      : overrideStages(readStages(strategy, context), stageValues, diagnostics);
  const { draft, checks } = compileSections(document, linked, input.file, context);
  const bySaid = new Map(flattenStages(linked).map((stage) => [stage.id, stage]));
  if (diagnostics.hasErrors) return undefined;
  checkProgram(draft, document, bySaid, context);
  checkSchemas(draft, document, diagnostics);
  checkRequirements(checks, draft.stages, document.section("task"), diagnostics);
  const canonical = canonicalSpec(draft, document.root, bySaid);
  return diagnostics.hasErrors
    ? undefined
    : { ...draft, canonical, hash: hashOf(canonical), diagnostics: diagnostics.sorted() };
}

function splitOverrides(
  values: readonly SetValue[],
): readonly [readonly SetValue[], readonly SetValue[]] {
  const isOfStage = ({ path }: SetValue): boolean => path[0] === "stages";
  return [values.filter(isOfStage), values.filter((value) => !isOfStage(value))];
}

function checkProgram(
  draft: Draft,
  document: SpecDocument,
  linked: ReadonlyMap<string, ReadStage>,
  context: CompileContext,
): void {
  const { diagnostics } = context;
  const guards = new Map<string, SpecNode>();
  for (const [id, stage] of linked) {
    const guard = entry(stage.settings, "when");
    if (guard !== undefined) guards.set(id, guard);
  }
  checkFlow(draft.strategy, draft.stages, guards, diagnostics);
  const limits = document.section("limits");
  checkLimits(limits, draft.limits, draft.bounds, diagnostics);
  checkPrices(dollarsOf(limits), draft.models, diagnostics);
  for (const stage of linked.values()) {
    const dollars = dollarsOf(entry(stage.settings, "limits"));
    const below = flattenStages([stage]).flatMap((inner) => draft.stages.get(inner.id) ?? []);
    checkPrices(dollars, reachableModels(below), diagnostics);
  }
}

function dollarsOf(limits: SpecNode | undefined): SpecNode | undefined {
  return limits?.kind === "map" ? entry(limits, "usd") : undefined;
}
