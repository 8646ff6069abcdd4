import { setValues, type SetValue } from "../spec/document/apply-overrides.ts";
import { laterPartsOf } from "../spec/document/not-yet.ts";
import type { StagePatch } from "../spec/document/lay-over.ts";
import { readDocument } from "../spec/document/read-document.ts";
import { sweepSecrets } from "../spec/document/secret-sweep.ts";
import { Diagnostics } from "../spec/text/diagnostic.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import type { Draft } from "./canonical-spec.ts";
import { checkProgram } from "./check-program.ts";
import type { CompileContext } from "./compile-context.ts";
import { joinSpecPlugins } from "./compile-plugins-list.ts";
import { compileSections } from "./compile-sections.ts";
import { deriveProgram } from "./derived-program.ts";
import { handOver } from "./hand-over.ts";
import { flattenStages, readStages } from "./read-stages.ts";
import { patchTree } from "./patch-tree.ts";
import type { Program } from "../program/program.ts";
import { overrideStages } from "./stage-overrides.ts";

/** A spec that was read, with what the command sets over it. */
export interface PassInput {
  readonly node: SpecNode;
  /** As diagnostics call it; absolute for a file. */
  readonly file: string;
  readonly overrides: readonly SetValue[];
  /** What overlays and extending files say of stages by their ids. */
  readonly stagePatches: readonly StagePatch[];
}

/** Compiles a spec with the plugins that are loaded; undefined where there are errors, or plugins yet to load. */
export function compilePass(input: PassInput, outer: CompileContext): Program | undefined {
  const context: CompileContext = { ...outer, diagnostics: new Diagnostics() };
  const program = compileWhole(input, context);
  handOver(context.diagnostics, outer.diagnostics, context.strategyUses);
  return program;
}

function compileWhole(input: PassInput, outer: CompileContext): Program | undefined {
  const { diagnostics } = outer;
  const [stageValues, specValues] = splitOverrides(input.overrides);
  const node =
    input.node.kind === "map" ? setValues(input.node, specValues, diagnostics) : input.node;
  const document = readDocument(node, diagnostics);
  if (document === undefined) return undefined;
  const context = joinSpecPlugins(document.section("plugins"), outer);
  const tree = readStages(document.section("strategy"), document.section("strategies"), context);
  const patched = patchTree(tree, input.stagePatches, diagnostics);
  const linked = overrideStages(patched.stages, stageValues, diagnostics);
  const sections = compileSections(document, { ...patched, stages: linked }, input.file, context);
  const draft = withInner(sections.draft, context);
  const stages = new Map(flattenStages(linked).map((stage) => [stage.id, stage]));
  const isWhole = document.root.entries.has("strategy");
  if (isWhole) checkProgram({ draft, document, stages, checks: sections.checks }, context);
  sweepSecrets(document.root, diagnostics);
  if (diagnostics.hasErrors || !isWhole) return undefined;
  return deriveProgram(draft, document.root, stages, diagnostics.sorted());
}

function splitOverrides(
  values: readonly SetValue[],
): readonly [readonly SetValue[], readonly SetValue[]] {
  const isOfStage = ({ path }: SetValue): boolean => path[0] === "stages";
  return [values.filter(isOfStage), values.filter((value) => !isOfStage(value))];
}

// Programs of inner agents, and what can't be run yet, are met wherever the spec names them.
function withInner(draft: Draft, { inner, packages, diagnostics }: CompileContext): Draft {
  const later = laterPartsOf(diagnostics);
  return {
    ...draft,
    ...(packages === undefined ? {} : { packages }),
    ...(inner.size === 0 ? {} : { agents: inner }),
    ...(later.length === 0 ? {} : { notYet: later }),
  };
}
