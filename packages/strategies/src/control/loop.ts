import {
  defineStrategy,
  expression,
  one,
  type StrategyDefinition,
  timesBounds,
  Type,
} from "@loopwright/core/plugin";

const options = Type.Object({
  maxRounds: Type.Integer({ description: "The most rounds.", minimum: 1, maximum: 100 }),
  until: expression("bool", { description: "Ends the loop; looked at before every round." }),
});

/** Repeats a stage until a condition holds or the rounds are used up; choose it for attempts that learn from each other. */
export const loop: StrategyDefinition = defineStrategy({
  id: "loop",
  description: "Repeats a stage until a condition holds, at most so many rounds.",
  options,
  slots: { do: one({ description: "One round.", runs: "maybe" }) },
  flow: {},
  bounds: ({ maxRounds }, children) => timesBounds(children.do, 0, maxRounds),
  async run(_state, context, { maxRounds, until }) {
    for (let round = 1; round <= maxRounds && context.evaluate(until) !== true; round += 1) {
      context.step(round, maxRounds);
      await context.runSlot("do");
    }
  },
});
