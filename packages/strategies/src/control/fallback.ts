import {
  alternatives,
  childrenOf,
  defineStrategy,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";

const options = Type.Object({});

/**
 * Tries stages in order until one ends well; choose it where a cheap or fast way may fail and a sure one is at hand.
 *
 * What a failed try has found is kept. A limit of the run or an abort is no failure to fall back from; a limit that a try
 * sets itself is. The last failure is the stage's.
 */
export const fallback: StrategyDefinition = defineStrategy({
  id: "fallback",
  description: "Tries stages in order; the next one where a stage fails.",
  options,
  slots: {
    try: alternatives({ description: "What is tried, in order; the first that ends well counts." }),
  },
  flow: {},
  bounds: (_options, children) => {
    const [first] = childrenOf(children.try);
    const { generations, toolCalls } = children.try;
    return {
      generations: [first?.generations[0] ?? 0, generations[1]],
      toolCalls: [first?.toolCalls[0] ?? 0, toolCalls[1]],
    };
  },
  async run(_state, context) {
    const tries = context.slotNames("try").map((name) => `try.${name}` as const);
    for (const [index, slot] of tries.entries()) {
      context.step(index + 1, tries.length);
      if (index === tries.length - 1) return context.runSlot(slot);
      const { ok, reason } = await context.tryRunSlot(slot);
      if (ok) return;
      context.fact("try.failed", { try: index + 1, of: tries.length, reason });
    }
  },
});
