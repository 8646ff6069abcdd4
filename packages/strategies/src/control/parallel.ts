import {
  defineStrategy,
  many,
  one,
  ProviderError,
  type StrategyDefinition,
  sumBounds,
  Type,
} from "@loopwright/core/plugin";

const options = Type.Object({});

/**
 * Runs several stages at one time, each from the state before; choose it for parts that need nothing of each other.
 *
 * What the branches found is joined in their order; where two set the same field, the last in order has the word, so at most
 * one sets the answer unless `combine` writes it from `results.<branch>`. A branch that fails lets the others finish; then
 * the stage fails, unless `combine` is there and one branch ended well.
 */
export const parallel: StrategyDefinition = defineStrategy({
  id: "parallel",
  description:
    "Runs several stages at one time, each from the state before, and joins what they found.",
  options,
  slots: {
    branches: many({
      description: "What runs at one time, by name.",
      order: "beside",
      concurrent: true,
    }),
    combine: one({
      description: "Runs afterwards and reads `results` of each branch by its name.",
      optional: true,
      seesResultsOf: "branches",
    }),
  },
  flow: {},
  bounds: (_options, children) => sumBounds(children.branches, children.combine),
  async run(_state, context) {
    const branches = context
      .slotNames("branches")
      .map((name) => ({ key: name, slot: `branches.${name}` as const }));
    const results = await context.fanOut(branches, { maxParallel: Math.max(1, branches.length) });
    context.adopt(results);
    for (const result of results) if (result.ok) context.adopt([], result);
    const failed = results.filter((result) => !result.ok);
    const isCombined = context.hasSlot("combine");
    if (failed.length > 0 && (!isCombined || failed.length === results.length)) {
      const reasons = failed.map(({ key, reason }) => `\`${key}\`: ${reason}`);
      throw new ProviderError("strategy-failed", `a branch failed: ${reasons.join("; ")}`);
    }
    if (isCombined) await context.runSlot("combine");
  },
});
