import type { CompiledStage, Program } from "../program/program.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { Cost } from "./cost.ts";
import { askPlugin, reportUnbounded } from "./check-stage.ts";
import { costOfAgent } from "./agent-tool-costs.ts";
import { addCost, sequenceCost, stageCost, type StageCostFacts } from "./stage-bounds.ts";
import type { ReadStage } from "./stage-tree.ts";

/** What decides about the cost of a stage, its children as they were compiled. */
interface CostFacts extends Omit<StageCostFacts, "children"> {
  readonly children: ReadonlyMap<string, readonly CompiledStage[]>;
}

const nothing: Cost = sequenceCost([]);
const noCosts: StageCostFacts["children"] = new Map();

function costsOf(children: CostFacts["children"]): StageCostFacts["children"] {
  return new Map([...children].map(([key, stages]) => [key, sequenceCost(stages)] as const));
}

/** The cost of a stage, that of its agent included; nothing for one that is not known whole. */
export function costOfStage(
  stage: ReadStage,
  facts: CostFacts,
  agent: Program | undefined,
  isSound: boolean,
  diagnostics: Diagnostics,
): Cost {
  if (!isSound) return nothing;
  const children = facts.children.size === 0 ? noCosts : costsOf(facts.children);
  const ask = (): Cost => stageCost(stage.definition, { ...facts, children });
  const own = askPlugin(stage, ask, nothing, diagnostics);
  reportUnbounded(stage, own, [...children.values()], diagnostics);
  return agent === undefined ? own : addCost(own, costOfAgent(agent), facts.isGuarded);
}
