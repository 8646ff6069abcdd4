import {
  defineStrategy,
  memoryName,
  NO_BOUNDS,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";

const options = Type.Object({
  from: memoryName({ description: "The memory to look in." }),
  maxLessons: Type.Integer({
    description: "The most lessons to bring back.",
    default: 3,
    minimum: 1,
    maximum: 20,
  }),
});

/** Brings lessons of earlier runs that fit the task into this run, without a model; choose it as the first stage of a spec that ends with `reflect` (the memory of Reflexion, Shinn et al. 2023, arXiv:2303.11366). */
export const recall: StrategyDefinition = defineStrategy({
  id: "recall",
  description: "Brings lessons of earlier runs that fit the task into this run.",
  options,
  flow: { sets: ["lessons"] },
  bounds: () => NO_BOUNDS,
  async run(_state, context, { from, maxLessons }) {
    await context.recall(from, maxLessons);
  },
});
