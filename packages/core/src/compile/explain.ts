import type { Range } from "../contracts/bounds.ts";
import type {
  ExplainedForm,
  ExplainedModel,
  ExplainedStage,
  ExplainedTool,
  ExplainTree,
} from "./explain-tree.ts";
import type {
  CompiledStage,
  ModelEntry,
  PoliciesByEffect,
  Program,
  ToolEntry,
  ToolPolicy,
} from "../program/program.ts";
import { explainForms } from "./explain-form.ts";
import { modelsWithin, priceCeiling } from "./price-ceiling.ts";
import { ownGenerations } from "./stage-bounds.ts";

export type { ExplainTree } from "./explain-tree.ts";
export { formatExplain } from "./format-explain.ts";

/** Tells what a program will do and what it may cost. */
export function explainProgram(program: Program): ExplainTree {
  const { bounds } = program;
  const forms = explainForms(program);
  return {
    name: program.name,
    version: program.version,
    description: program.description,
    hash: program.hash,
    stages: program.strategy.stages.map((stage) => explainStage(stage, program)),
    tools: [...program.tools.values()].map(explainTool),
    models: modelsWithin(program).map((entry) => explainModel(entry, forms.get(entry))),
    totals: {
      generations: exact(bounds.generations),
      requests: exact(bounds.requests),
      toolCalls: exact(bounds.toolCalls),
      attempts: Math.min(bounds.attempts, Number.MAX_SAFE_INTEGER),
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
      requests: exact(own.requests),
      toolCalls: exact(own.toolCalls),
    })),
    ceiling: priceCeiling(program),
  };
}

/** Counts beyond what a number can hold exactly are the greatest that it can. */
function exact([least, most]: Range): Range {
  return [Math.min(least, Number.MAX_SAFE_INTEGER), Math.min(most, Number.MAX_SAFE_INTEGER)];
}

function explainModel(entry: ModelEntry, output: ExplainedForm | undefined): ExplainedModel {
  const { id, role, profile, calls, structured, overrides, fallback, price } = entry;
  return {
    id,
    role,
    profile,
    isChanged: overrides !== undefined,
    calls,
    ...(structured === undefined ? {} : { structured }),
    ...(output === undefined ? {} : { output }),
    fallback: fallback.map((model) => model.id),
    hasPrice: price !== undefined,
  };
}

function explainTool({ name, definition, policy, policies }: ToolEntry): ExplainedTool {
  // Of a set, what may be cached and tried again is what reads.
  const { approval: _, deny, timeoutMs, effect, ...plain } = policies?.read ?? policy;
  return {
    ...plain,
    ...(Number.isFinite(timeoutMs) ? { timeoutMs } : {}),
    name,
    use: definition.id,
    effect: policies === undefined ? effect : policies.once.effect,
    ...(policies === undefined ? {} : { isSet: true }),
    approval: policies === undefined ? approvalText(policy) : approvalsText(policies),
    ...(deny === undefined ? {} : { deny: deny.source }),
  };
}

function approvalText({ approval }: ToolPolicy): string {
  return typeof approval === "string" ? approval : `when ${approval.when.source}`;
}

function approvalsText({ read, idempotent, once }: PoliciesByEffect): string {
  const texts = [read, idempotent, once].map(
    (policy) => `${policy.effect} ${approvalText(policy)}`,
  );
  const isSame = new Set([read, idempotent, once].map(approvalText)).size === 1;
  return isSame ? approvalText(once) : `by effect (${texts.join(", ")})`;
}

function explainStage(stage: CompiledStage, program: Program): ExplainedStage {
  const { flow } = stage;
  const agent = program.agents?.get(stage.id);
  const [, own] = ownGenerations(stage.definition, stage.options, Object.keys(stage.slots));
  const models = own === 0 ? [] : Object.entries(stage.models);
  return {
    id: stage.id,
    strategy: stage.definition.id,
    ...(stage.when === undefined ? {} : { when: stage.when.source }),
    always: stage.always,
    needs: flow.needs ?? [],
    uses: flow.uses ?? [],
    sets: flow.sets ?? [],
    maySet: flow.maySet ?? [],
    generations: exact(stage.bounds.generations),
    requests: exact(stage.requests),
    toolCalls: exact(stage.bounds.toolCalls),
    models: Object.fromEntries(models.map(([voice, model]) => [voice, model.id])),
    noModel: stage.noModel,
    ...(agent === undefined ? {} : { agent: explainAgent(agent) }),
    tools: stage.tools,
    slots: Object.fromEntries(
      Object.entries(stage.slots).map(([name, slot]) => [
        name,
        slot.stages.map((child) => explainStage(child, program)),
      ]),
    ),
  };
}

function explainAgent(agent: Program): NonNullable<ExplainedStage["agent"]> {
  const ids = modelsWithin(agent).map(({ id }) => id);
  return { name: agent.name, models: [...new Set(ids)] };
}
