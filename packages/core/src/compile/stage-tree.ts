import type { StrategyDefinition } from "../contracts/strategy.ts";
import type { MapNode, ScalarNode, SpecNode } from "../spec/text/spec-node.ts";

/** A stage whose keys are sorted into settings, options and child slots. */
export interface ReadStage {
  readonly id: string;
  readonly strategy: string;
  readonly definition: StrategyDefinition;
  /** True where the strategy was not found, which was reported: nothing is known of its options. */
  readonly isUnknown: boolean;
  /** Where the strategy's id stands. */
  readonly at: SpecNode;
  /** The name in `strategies` that it stands under; missing for a stage of `strategy` itself. */
  readonly under?: string;
  readonly settings: MapNode;
  readonly options: MapNode;
  /** By the name of the slot; a child of a slot with several by both: `branches.left`, `try.0`. */
  readonly slots: ReadonlyMap<string, readonly ReadStage[]>;
  /** Where the names of the slots stand, and those of children by the same keys as in `slots`. */
  readonly childNames: ReadonlyMap<string, ScalarNode>;
}

/** The stages of a spec. */
export interface StageTree {
  readonly stages: readonly ReadStage[];
  /** Strategies of `strategies` that no stage is expanded from, by name. */
  readonly unused: ReadonlyMap<string, UnusedStrategy>;
}

/** A strategy of `strategies` that no stage is expanded from. */
export interface UnusedStrategy {
  readonly at: ScalarNode;
  readonly stages: readonly ReadStage[];
}

/** All stages of a tree, each before its children. */
export function flattenStages(stages: readonly ReadStage[]): readonly ReadStage[] {
  const found: ReadStage[] = [];
  const visit = (stage: ReadStage): void => {
    found.push(stage);
    for (const children of stage.slots.values()) children.forEach(visit);
  };
  stages.forEach(visit);
  return found;
}
