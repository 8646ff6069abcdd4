import {
  count,
  defineStrategy,
  expression,
  type ItemResult,
  type Json,
  one,
  type RunState,
  type Slots,
  type Static,
  type StrategyContext,
  type StrategyDefinition,
  sumBounds,
  template,
  timesBounds,
  Type,
} from "@loopwright/core/plugin";
import { asText } from "../shared/as-text.ts";
import { leftOut, resultOf, tellFailures } from "../shared/item-results.ts";
import {
  failuresIn,
  isDone,
  isPlanSteps,
  objectiveOf,
  partText,
  progressOf,
} from "../shared/plan-items.ts";
import { type Waiting, wavesOf } from "../shared/waves.ts";

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
 * came to: beside its task, as `task.part`. An item with an answer ends its plan step; a failed one asks the stage that made
 * the plan for another one, and its open steps go on, with never more than `maxItems` in all.
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
    const { in: list, maxItems } = settings;
    const all = listOf(context.evaluate(list));
    if (all.length > maxItems)
      context.fact("items.left-out", { count: all.length - maxItems, maxItems });
    context.save({ result: { items: [] } });
    const results = await runItems(context, settings, all.slice(0, maxItems), []);
    tellFailures(context, results);
    if (context.hasSlot("combine")) await context.runSlot("combine");
  },
});

type Settings = Static<typeof options>;

/** Runs items wave by wave; `earlier` is what those of the plans before came to, so a plan made again goes on with fewer. */
async function runItems<S extends Slots>(
  context: StrategyContext<S>,
  settings: Settings,
  list: readonly Json[],
  earlier: readonly ItemResult[],
): Promise<readonly ItemResult[]> {
  const { items, waves, ignored } = wavesOf(list);
  if (ignored.length > 0) context.fact("dependencies.ignored", { ignored });
  const ended = new Map<number, ItemResult>();
  const isOver = (index: number) => earlier.length > 0 && isDone(items[index]?.item ?? null);
  const known = (index: number) =>
    isOver(index)
      ? earlier.findLast(({ key, ok }) => ok && key === items[index]?.key)
      : ended.get(index);
  const results = () => [...earlier, ...items.flatMap((_, index) => ended.get(index) ?? [])];
  for (const wave of waves) {
    const open = wave.flatMap((index) => (isOver(index) ? [] : [placed(items, index, known)]));
    for (const { index, waiting, before } of open) {
      const stuck = leftOut(waiting, before);
      if (stuck !== undefined) ended.set(index, stuck);
    }
    const free = open.filter(({ index }) => !ended.has(index));
    const work = free.map((item) => branchOf(context, settings, item));
    const state = context.state;
    const branches = await context.fanOut(work, { maxParallel: settings.maxParallel });
    context.adopt(branches);
    for (const [at, { index, waiting }] of free.entries())
      ended.set(index, resultOf(waiting, work[at]?.task ?? "", branches[at], state));
    context.save({ result: { items: results() } });
    const done = free.map(({ index }, at) => ({ result: ended.get(index), branch: branches[at] }));
    const again = await endSteps(context, settings, {
      before: state,
      done,
      count: results().length,
    });
    if (again !== undefined) return await runItems(context, settings, again, results());
  }
  return results();
}

/** An item with its place in the list, and what the items came to that it depends on. */
interface Placed {
  readonly index: number;
  readonly count: number;
  readonly waiting: Waiting;
  readonly before: readonly ItemResult[];
}

function placed(
  items: readonly Waiting[],
  index: number,
  known: (index: number) => ItemResult | undefined,
): Placed {
  const waiting = items[index] ?? { key: "", item: null, dependsOn: [] };
  const before = waiting.dependsOn.flatMap((id) => known(id) ?? []);
  return { index, count: items.length, waiting, before };
}

function branchOf<S extends Slots>(
  context: StrategyContext<S>,
  { in: list, item: name }: Settings,
  { index, count: all, waiting, before }: Placed,
) {
  const bind = { [name]: waiting.item };
  const said = context.render("task", bind);
  const head = { key: `item:${index + 1}`, slot: "do" as const, bind };
  const task = said === null ? {} : { task: asText(said) };
  if (!isPlanSteps(list)) return { ...head, ...task };
  const part = partText(context, waiting, { number: index + 1, count: all }, before);
  return { ...head, task: objectiveOf(waiting.item), ...task, part };
}

/** Ends the plan steps of a wave; where one failed, has the plan made again and gives its steps. */
async function endSteps<S extends Slots>(
  context: StrategyContext<S>,
  { in: list, maxItems }: Settings,
  wave: {
    readonly before: RunState;
    readonly done: Parameters<typeof progressOf>[2];
    readonly count: number;
  },
): Promise<readonly Json[] | undefined> {
  if (!isPlanSteps(list)) return undefined;
  const progress = progressOf(context.state.plan, wave.before, wave.done);
  context.save({ progress });
  const reason = failuresIn(progress);
  const maxSteps = maxItems - wave.count;
  if (reason === "" || maxSteps < 1 || context.conclude()) return undefined;
  const planned = await context.replan({ reason, maxSteps });
  if (planned.ok) return listOf(context.evaluate(list));
  context.fact("replan.refused", { reason: planned.reason });
  return undefined;
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
