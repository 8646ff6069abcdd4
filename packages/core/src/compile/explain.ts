import type { Range } from "../contracts/strategy.ts";
import type { Effect } from "../contracts/tool.ts";
import type { Limits, Program, StageNode, ToolPolicy } from "./program.ts";

export { formatExplain } from "./format-explain.ts";

/** What a program will do and what it may cost, as data. */
export interface ExplainTree {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly hash: string;
  readonly stages: readonly ExplainedStage[];
  readonly tools: readonly ExplainedTool[];
  readonly models: readonly ExplainedModel[];
  readonly totals: {
    readonly generations: Range;
    readonly requests: Range;
    readonly toolCalls: Range;
  };
  readonly limits: Limits;
  /** Model calls kept for stages that run in any case. */
  readonly reserve: number;
  readonly dryRun: boolean;
}

/** A stage with its children, by slot. */
export interface ExplainedStage {
  readonly id: string;
  readonly strategy: string;
  readonly when?: string;
  readonly always: boolean;
  readonly needs: readonly string[];
  readonly uses: readonly string[];
  readonly sets: readonly string[];
  readonly maySet: readonly string[];
  readonly generations: Range;
  /** Model calls, after repairs and fallbacks. */
  readonly requests: Range;
  readonly toolCalls: Range;
  /** Model ids by voice. */
  readonly models: Readonly<Record<string, string>>;
  readonly noModel: boolean;
  readonly tools: readonly string[];
  readonly slots: Readonly<Record<string, readonly ExplainedStage[]>>;
}

/** A tool with what it does to the world and who must agree. */
export interface ExplainedTool {
  readonly name: string;
  readonly use: string;
  readonly effect: Effect;
  /** `never`, `always`, or the condition. */
  readonly approval: string;
  readonly deny?: string;
  readonly timeoutMs: number;
  readonly cacheMs: number;
}

/** A model with what stands in for it. */
export interface ExplainedModel {
  readonly id: string;
  readonly role: string;
  readonly fallback: readonly string[];
  readonly hasPrice: boolean;
}

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
    limits: program.limits,
    reserve: bounds.reserve,
    dryRun: program.dryRun,
  };
}

function explainStage(stage: StageNode): ExplainedStage {
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
