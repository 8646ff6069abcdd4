import type { ExplainedStage, ExplainTree } from "./explain-tree.ts";
import type { Program, CompiledStage, ToolPolicy } from "../program/program.ts";

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
    tools: [...program.tools.values()].map(({ name, definition, policy }) => ({
      name,
      use: definition.id,
      effect: policy.effect,
      approval: approvalOf(policy),
      ...(policy.deny === undefined ? {} : { deny: policy.deny.source }),
      timeoutMs: policy.timeoutMs,
      cacheMs: policy.cacheMs,
    })),
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

function approvalOf({ approval }: ToolPolicy): string {
  return typeof approval === "string" ? approval : `when ${approval.when.source}`;
}
