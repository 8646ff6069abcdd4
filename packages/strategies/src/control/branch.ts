import {
  anyOfBounds,
  defineStrategy,
  expression,
  one,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";

const options = Type.Object({
  if: expression("bool", { description: "Decides which of the two runs." }),
});

/** Runs one of two stages by a condition; choose it where the state itself says which way to go, so that no model is asked. */
export const branch: StrategyDefinition = defineStrategy({
  id: "branch",
  description: "Runs one stage where a condition holds, and another where it does not.",
  options,
  slots: {
    // oxlint-disable-next-line unicorn/no-thenable -- the word of the spec language; it holds data, no function
    then: one({
      description: "Runs where the condition holds.",
      runs: "maybe",
      order: "one-of",
      group: "either",
    }),
    else: one({
      description: "Runs where it does not hold; nothing where it is left out.",
      optional: true,
      runs: "maybe",
      order: "one-of",
      group: "either",
    }),
  },
  flow: {},
  bounds: (_options, children) => anyOfBounds([children.then, children.else]),
  async run(_state, context, { if: condition }) {
    const slot = context.evaluate(condition) === true ? "then" : "else";
    if (context.hasSlot(slot)) await context.runSlot(slot);
  },
});
