import {
  count,
  defineStrategy,
  expression,
  type ItemResult,
  type Json,
  one,
  ProviderError,
  type RunState,
  type SlotResult,
  type Slots,
  type StrategyContext,
  type StrategyDefinition,
  sumBounds,
  template,
  timesBounds,
  Type,
} from "@loopwright/core/plugin";
import { asText } from "../shared/as-text.ts";
import { type Waiting, wavesOf } from "../shared/waves.ts";

const options = Type.Object({
  in: expression("list", { description: "The list, as an expression over the state." }),
  item: Type.String({
    description: "The name under which each item is seen inside.",
    pattern: "^[a-z][a-zA-Z0-9]*$",
  }),
  task: Type.Optional(
    template({
      description: "What is to be done for an item; the task of the run without it.",
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
 * Items that name others in `dependsOn` wait for them and can read what they came to in `results.<id>`: in a `prompt`, a
 * guard or another expression, for no prompt says it by itself. Where one fails, those that depend on it are left out. An
 * item's answer stays in its result; only `combine` writes the answer.
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
  async run(_state, context, { in: list, item: name, maxItems, maxParallel }) {
    const all = listOf(context.evaluate(list));
    const { items, waves, ignored } = wavesOf(all.slice(0, maxItems));
    if (all.length > maxItems)
      context.fact("items.left-out", { count: all.length - maxItems, maxItems });
    if (ignored.length > 0) context.fact("dependencies.ignored", { ignored });
    const ended = new Map<number, ItemResult>();
    const inOrder = () => items.flatMap((_, index) => ended.get(index) ?? []);
    context.save({ result: { items: [] } });
    for (const wave of waves) {
      const { free, stuck } = split(wave, items, ended);
      for (const { index, result } of stuck) ended.set(index, result);
      const work = free.map((index) => branchOf(context, index, items[index]?.item ?? null, name));
      const before = context.state;
      const results = await context.fanOut(work, { maxParallel });
      context.adopt(results);
      for (const [at, index] of free.entries())
        ended.set(index, resultOf(items[index], work[at]?.task ?? "", results[at], before));
      context.save({ result: { items: inOrder() } });
    }
    tellFailures(context, inOrder());
    if (context.hasSlot("combine")) await context.runSlot("combine");
  },
});

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The items of a wave that may run, and those that are left out because one they depend on failed. */
function split(
  wave: readonly number[],
  items: readonly Waiting[],
  ended: ReadonlyMap<number, ItemResult>,
) {
  const free: number[] = [];
  const stuck: { readonly index: number; readonly result: ItemResult }[] = [];
  for (const index of wave) {
    const { key = "", item = null, dependsOn = [] } = items[index] ?? {};
    const failed = dependsOn.map((id) => ended.get(id)).find((result) => result?.ok === false);
    if (failed === undefined) free.push(index);
    else {
      const reason = `left out: it depends on ${failed.key}, which did not end well`;
      stuck.push({ index, result: { ...NOTHING, key, item, reason } });
    }
  }
  return { free, stuck };
}

function branchOf<S extends Slots>(
  context: StrategyContext<S>,
  index: number,
  item: Json,
  name: string,
) {
  const bind = { [name]: item };
  const said = context.render("task", bind);
  const task = said === null ? {} : { task: asText(said) };
  return { key: `item:${index + 1}`, slot: "do" as const, bind, ...task };
}

/** What an item came to; an item whose stages gave no answer has a neutral one. */
function resultOf(
  waiting: Waiting | undefined,
  task: string,
  result: SlotResult | undefined,
  before: RunState,
): ItemResult {
  const { key = "", item = null } = waiting ?? {};
  const head = { ...NOTHING, key, item, task: task === "" ? before.task.text : task };
  if (result === undefined) return { ...head, reason: "it was not reached" };
  const { ok, reason, state } = result;
  if (state.answer.revision === before.answer.revision) return { ...head, ok, reason };
  const { answer } = state;
  return { ...head, ok, reason, answer, text: answer.text, value: answer.value };
}

/** Says what failed; where nothing ended well there is nothing to go on with. */
function tellFailures<S extends Slots>(
  context: StrategyContext<S>,
  results: readonly ItemResult[],
): void {
  const failed = results.filter(({ ok }) => !ok).map(({ key, reason }) => ({ key, reason }));
  if (failed.length === 0) return;
  context.fact("items.failed", { failed, of: results.length });
  if (failed.length < results.length) return;
  const reasons = new Set(failed.map(({ key, reason }) => `${key}: ${reason}`));
  throw new ProviderError(
    "strategy-failed",
    `none of ${results.length} items ended well: ${[...reasons].join("; ")}`,
  );
}

const NOTHING: ItemResult = {
  key: "",
  item: null,
  task: "",
  ok: false,
  reason: "",
  answer: {
    text: "",
    value: null,
    reasoning: "",
    evidence: [],
    solvable: true,
    unsolvableReason: "",
    revision: 0,
    by: "",
  },
  text: "",
  value: null,
};
