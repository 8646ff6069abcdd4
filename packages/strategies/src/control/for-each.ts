import {
  count,
  defineStrategy,
  expression,
  one,
  type StrategyDefinition,
  sumBounds,
  template,
  timesBounds,
  Type,
} from "@loopwright/core/plugin";
import { tellFailures } from "../shared/item-results.ts";
import { itemsIn, runItems } from "./for-each/run-items.ts";

const options = Type.Object({
  in: expression("list", { description: "The list, as an expression over the state." }),
  item: Type.String({
    description: "The name under which each item is seen inside.",
    pattern: "^[a-z][a-zA-Z0-9]*$",
  }),
  task: Type.Optional(
    template({
      description:
        "What is to be done for an item; without it the objective of a plan step, else the task of the run.",
      late: true,
    }),
  ),
  maxItems: count({
    description:
      "The most items; the rest is left out, and that is told. Known lists bound themselves.",
    boundOf: "in",
  }),
  maxParallel: Type.Integer({
    description: "The most items at one time.",
    default: 4,
    minimum: 1,
    maximum: 32,
  }),
});

/**
 * Runs a stage for every item of a list and keeps what each came to as the list `results.<id>`; choose it to give every
 * plan step, file or row the same treatment.
 *
 * Items that name others in `dependsOn` wait for them and can read what they came to in `results.<id>`. Where one fails,
 * those that depend on it are left out. An item's answer stays in its result; only `combine` writes the answer.
 *
 * Over `plan.steps` each stage is told which step of how many it does, when that is done, and what the steps it depends on
 * came to: beside its task, as `task.part`. Steps that are done already are not done again. An item ends its plan step as done
 * with an answer that was not cut short and, where the step needs information from outside, cites an observation; else as
 * failed: then the stage that made the plan is asked for another one, and its open steps go on, with never more than
 * `maxItems` items in all.
 */
export const forEach: StrategyDefinition = defineStrategy({
  id: "for-each",
  description: "Runs a stage for every item of a list, and may combine what they came to.",
  options,
  slots: {
    do: one({
      description: "What is done for one item.",
      runs: "maybe",
      order: "beside",
      concurrent: true,
      binds: { name: "item", of: "in" },
    }),
    combine: one({
      description: "Runs afterwards and reads the list of results.",
      optional: true,
    }),
  },
  result: "list",
  flow: {},
  bounds: ({ maxItems }, children) =>
    sumBounds(timesBounds(children.do, 0, maxItems), children.combine),
  async run(_state, context, settings) {
    const list = itemsIn(context, settings);
    context.save({ result: { items: [] } });
    const results = await runItems(context, settings, list, []);
    tellFailures(context, results);
    if (context.hasSlot("combine")) await context.runSlot("combine");
  },
});
