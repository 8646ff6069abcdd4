import type { AgentToolCost } from "./agent-tool-costs.ts";
import type { Cost } from "./cost.ts";
import { ABSENT, type Bounds, NO_BOUNDS, type Range, sumBounds } from "../contracts/bounds.ts";
import type { StrategyDefinition } from "../contracts/strategy.ts";
import type { JsonObject } from "../contracts/json.ts";
import { slotOf } from "./slot-forms.ts";
import type { ModelEntry, CompiledSequence, CompiledStage } from "../program/program.ts";

const nothing: Cost = { bounds: NO_BOUNDS, requests: [0, 0] };

/** What decides about the cost of a stage beside its strategy. */
export interface StageCostFacts {
  readonly options: JsonObject;
  /** The cost of the child slots that the spec gives. */
  readonly children: ReadonlyMap<string, Cost>;
  readonly noModel: boolean;
  readonly isGuarded: boolean;
  /** How many model calls more than one a generation may take: for repairs, and for fields after free text. */
  readonly extraCalls: number;
  readonly models: readonly ModelEntry[];
  /** Whether a tool of the stage has another tool as its fallback: then each call may become two. */
  readonly hasStandIn: boolean;
  /** What the agents cost that it calls as tools; missing where it can call none. */
  readonly agentTools?: AgentToolCost | undefined;
}

/** How many generations a stage makes itself, its children left aside. */
export function ownGenerations(
  definition: StrategyDefinition,
  options: JsonObject,
  slots: Iterable<string>,
): Range {
  return ownBounds(definition, options, slots).generations;
}

function ownBounds(
  definition: StrategyDefinition,
  options: JsonObject,
  slots: Iterable<string>,
): Bounds {
  const zero = new Map([...slots].map((slot) => [slot, nothing]));
  return boundsWith(definition, options, zero, (cost) => cost.bounds);
}

/**
 * The cost of a stage.
 *
 * A strategy's `bounds` are its own generations plus its children's, each child times how often it runs. Requests follow
 * by asking once more with the children's requests in place of their generations, and adding what repairs and fallbacks
 * make of the own ones: bounds(requests of the children) + own × (factor - 1). For bounds that are sums this is exact.
 * Where a strategy takes the greatest of several ways, max(aᵢ + bᵢ·c), it is a ceiling, because
 * max(f·aᵢ + bᵢ·c) ≤ max(aᵢ + bᵢ·c) + (f - 1)·max(aᵢ), and max(aᵢ) is what `bounds` says for children that cost nothing.
 */
export function stageCost(definition: StrategyDefinition, facts: StageCostFacts): Cost {
  const { options, children } = facts;
  const alone = ownBounds(definition, options, children.keys());
  const { generations: own, toolCalls: ownCalls } = alone;
  // Without children the three questions are one.
  const isLeaf = children.size === 0;
  const total = isLeaf ? alone : boundsWith(definition, options, children, (cost) => cost.bounds);
  const asked = isLeaf
    ? own
    : boundsWith(definition, options, children, ({ bounds, requests }) => ({
        ...bounds,
        generations: requests,
      })).generations;
  const factor = facts.noModel
    ? 0
    : (1 + facts.extraCalls) *
      (1 + Math.max(0, ...facts.models.map((model) => model.fallback.length)));
  const ownLeast = facts.noModel ? 0 : own[0];
  const ownMost = facts.noModel ? 0 : own[1];
  const generations: Range = [
    total.generations[0] - own[0] + ownLeast,
    total.generations[1] - own[1] + ownMost,
  ];
  const requests: Range = [
    asked[0] - own[0] + ownLeast,
    asked[1] - own[1] + ownMost + ownMost * Math.max(0, factor - 1),
  ];
  const toolCalls: Range = [
    total.toolCalls[0],
    total.toolCalls[1] + (facts.hasStandIn ? ownCalls[1] : 0),
  ];
  const stage: Cost = { bounds: { generations, toolCalls }, requests };
  const cost =
    facts.agentTools === undefined ? stage : sequenceCost([stage, facts.agentTools(ownCalls[1])]);
  return facts.isGuarded ? withoutLeast(cost) : cost;
}

/** The cost of a stage and of what it runs beside its slots. */
export function addCost(own: Cost, inner: Cost, isGuarded: boolean): Cost {
  const sum = sequenceCost([own, inner]);
  return isGuarded ? withoutLeast(sum) : sum;
}

/** The cost of stages that run one after the other. */
export function sequenceCost(stages: readonly Cost[]): Cost {
  const [first] = stages;
  if (stages.length === 1 && first !== undefined)
    return { bounds: first.bounds, requests: first.requests };
  return {
    bounds: sumBounds(...stages.map((stage) => stage.bounds)),
    requests: stages.reduce<Range>(
      (sum, { requests }) => [sum[0] + requests[0], sum[1] + requests[1]],
      [0, 0],
    ),
  };
}

/** The model calls that stages marked `always` need at the most, at any depth, as often as the stages around them run. */
export function sequenceReserve(sequence: CompiledSequence): number {
  return sequence.stages.reduce((sum, stage) => sum + stageReserve(stage), 0);
}

function stageReserve(stage: CompiledStage): number {
  if (stage.always) return stage.requests[1];
  const { definition, options, slots } = stage;
  const reserves = Object.entries(slots).map(([name, slot]): [string, Cost] => [
    name,
    { ...nothing, requests: [0, sequenceReserve(slot)] },
  ]);
  if (reserves.every(([, { requests }]) => requests[1] === 0)) return 0;
  const asked = boundsWith(definition, options, new Map(reserves), ({ bounds, requests }) => ({
    ...bounds,
    generations: requests,
  }));
  return asked.generations[1] - ownGenerations(definition, options, Object.keys(slots))[1];
}

function withoutLeast({ bounds, requests }: Cost): Cost {
  const { generations, toolCalls } = bounds;
  return {
    bounds: { generations: [0, generations[1]], toolCalls: [0, toolCalls[1]] },
    requests: [0, requests[1]],
  };
}

function boundsWith(
  definition: StrategyDefinition,
  options: JsonObject,
  children: ReadonlyMap<string, Cost>,
  of: (cost: Cost) => Bounds,
): Bounds {
  const given: Record<string, Bounds> = {};
  for (const [slot, { form }] of Object.entries(definition.slots)) {
    const cost = children.get(slot);
    if (form !== "one") given[slot] = boundsOfSeveral(slot, children, of);
    else given[slot] = cost === undefined ? ABSENT : of(cost);
  }
  return definition.bounds(options as never, given as never);
}

function boundsOfSeveral(
  slot: string,
  children: ReadonlyMap<string, Cost>,
  of: (cost: Cost) => Bounds,
): Bounds {
  const several = [...children].filter(([key]) => slotOf(key) === slot);
  if (several.length === 0) return ABSENT;
  const parts = several.map(([, cost]) => of(cost));
  return { ...sumBounds(...parts), children: parts };
}
