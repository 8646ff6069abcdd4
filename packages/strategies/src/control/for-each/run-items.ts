import type { ItemResult, Json, Slots, StrategyContext } from "@loopwright/core/plugin";
import { asText } from "../../shared/as-text.ts";
import { leftOut, resultOf } from "../../shared/item-results.ts";
import {
  doneBefore,
  failuresIn,
  isDone,
  isPlanSteps,
  objectiveOf,
  partText,
  progressOf,
} from "../../shared/plan-items.ts";
import { type Waiting, wavesOf } from "../../shared/waves.ts";

/** The list, the name of an item, and how many there may be: in all, and at one time. */
export interface EachOptions {
  readonly in: string;
  readonly item: string;
  readonly maxItems: number;
  readonly maxParallel: number;
}

/** The items of the list that have room; steps of the plan that are done stay in it, for those that build on them, and take none. */
export function itemsIn<S extends Slots>(
  context: StrategyContext<S>,
  { in: list, maxItems }: EachOptions,
): readonly Json[] {
  const all = listOf(context.evaluate(list));
  const isOver = (item: Json) => isPlanSteps(list) && isDone(item);
  const todo = all.filter((item) => !isOver(item));
  const count = todo.length - maxItems;
  if (count <= 0) return all;
  context.fact("items.left-out", { count, maxItems });
  const first = new Set(todo.slice(0, maxItems));
  return all.filter((item) => isOver(item) || first.has(item));
}

/** Runs items wave by wave; `earlier` is what those of the plans before came to, so a plan made again goes on with fewer. */
export async function runItems<S extends Slots>(
  context: StrategyContext<S>,
  settings: EachOptions,
  list: readonly Json[],
  earlier: readonly ItemResult[],
): Promise<readonly ItemResult[]> {
  const { language } = context;
  const { items, waves, ignored } = wavesOf(list);
  if (ignored.length > 0) context.fact("dependencies.ignored", { ignored });
  const ended = new Map<number, ItemResult>();
  const itemAt = (index: number) => items[index]?.item ?? null;
  const isOver = (index: number) => isPlanSteps(settings.in) && isDone(itemAt(index));
  const known = (index: number) =>
    isOver(index)
      ? (earlier.findLast(({ key, ok }) => ok && key === items[index]?.key) ??
        doneBefore(itemAt(index)))
      : ended.get(index);
  const results = () => [...earlier, ...items.flatMap((_, index) => ended.get(index) ?? [])];
  for (const wave of waves) {
    const open = wave.flatMap((index) => (isOver(index) ? [] : [placed(items, index, known)]));
    for (const { index, waiting, before } of open) {
      const stuck = leftOut(waiting, before, language);
      if (stuck !== undefined) ended.set(index, stuck);
    }
    const free = open.filter(({ index }) => !ended.has(index));
    const work = free.map((item) => branchOf(context, settings, item));
    const state = context.state;
    const branches = await context.fanOut(work, { maxParallel: settings.maxParallel });
    context.adopt(branches);
    for (const [at, { index, waiting }] of free.entries())
      ended.set(index, resultOf(waiting, work[at]?.task ?? "", branches[at], state, language));
    context.save({ result: { items: results() } });
    const done = free.flatMap(({ index }) => ended.get(index) ?? []);
    const again = await endSteps(context, settings, done, results().length);
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
  { in: list, item: name }: EachOptions,
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
  { in: list, maxItems }: EachOptions,
  done: readonly ItemResult[],
  count: number,
): Promise<readonly Json[] | undefined> {
  if (!isPlanSteps(list)) return undefined;
  const progress = progressOf(context, done);
  context.save({ progress });
  const reason = failuresIn(progress);
  if (reason === "") return undefined;
  const maxSteps = maxItems - count;
  if (maxSteps < 1) return refused(context, `the ${maxItems} items of \`maxItems\` are used up`);
  if (context.conclude()) return refused(context, "a limit is near");
  const planned = await context.replan({ reason, maxSteps });
  return planned.ok ? listOf(context.evaluate(list)) : refused(context, planned.reason);
}

/** Tells why the plan is not made again. */
function refused<S extends Slots>(context: StrategyContext<S>, reason: string): undefined {
  context.fact("replan.refused", { reason });
  return undefined;
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
