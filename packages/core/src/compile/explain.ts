import type { ExplainedStage, ExplainedTool, ExplainTree } from "./explain-tree.ts";
import type { CompiledStage, Program, ToolEntry } from "../program/program.ts";
import { priceCeiling } from "./price-ceiling.ts";

export type { ExplainTree } from "./explain-tree.ts";
export { formatExplain } from "./format-explain.ts";

/** Tells what a program will do and what it may cost. */
export function explainProgram(program: Program): ExplainTree {
  const { bounds } = program;
  return {
    name: program.name,
    version: program.version,
    description: program.description,
    hash: program.hash,
    stages: program.strategy.stages.map(explainStage),
    tools: [...program.tools.values()].map(explainTool),
    models: program.models.map(({ id, role, fallback, price }) => ({
      id,
      role,
      fallback: fallback.map((model) => model.id),
      hasPrice: price !== undefined,
    })),
    totals: {
      generations: bounds.generations,
      requests: bounds.requests,
      toolCalls: bounds.toolCalls,
    },
    conclusion: bounds.conclusion,
    limits: program.limits,
    reserve: bounds.reserve,
    dryRun: program.dryRun,
    overlays: program.overlays ?? [],
    agents: [...(program.agents ?? [])].map(([place, { name, hash, bounds: own }]) => ({
      place,
      name,
      hash,
      requests: own.requests,
      toolCalls: own.toolCalls,
    })),
    ceiling: priceCeiling(program),
  };
}

function explainTool({ name, definition, policy }: ToolEntry): ExplainedTool {
  const { approval, deny, ...plain } = policy;
  return {
    ...plain,
    name,
    use: definition.id,
    approval: typeof approval === "string" ? approval : `when ${approval.when.source}`,
    ...(deny === undefined ? {} : { deny: deny.source }),
  };
}

function explainStage(stage: CompiledStage): ExplainedStage {
  const { flow } = stage;
  return {
    id: stage.id,
    strategy: stage.definition.id,
    ...(stage.when === undefined ? {} : { when: stage.when.source }),
    always: stage.always,
    needs: flow.needs ?? [],
    uses: flow.uses ?? [],
    sets: flow.sets ?? [],
    maySet: flow.maySet ?? [],
    generations: stage.bounds.generations,
    requests: stage.requests,
    toolCalls: stage.bounds.toolCalls,
    models: Object.fromEntries(
      Object.entries(stage.models).map(([voice, model]) => [voice, model.id]),
    ),
    noModel: stage.noModel,
    tools: stage.tools,
    slots: Object.fromEntries(
      Object.entries(stage.slots).map(([name, slot]) => [name, slot.stages.map(explainStage)]),
    ),
  };
}
