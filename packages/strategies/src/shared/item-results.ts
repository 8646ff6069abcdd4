import {
  type ItemResult,
  ProviderError,
  type RunState,
  type SlotResult,
  type Slots,
  type StrategyContext,
} from "@loopwright/core/plugin";
import type { Waiting } from "./waves.ts";

/** What an item came to; an item whose stages gave no answer has a neutral one. */
export function resultOf(
  { key, item }: Pick<Waiting, "key" | "item">,
  task: string,
  result: SlotResult | undefined,
  before: RunState,
): ItemResult {
  const head = { ...NOTHING, key, item, task: task === "" ? before.task.text : task };
  if (result === undefined) return { ...head, reason: "it was not reached" };
  const { ok, reason, state } = result;
  if (state.answer.revision === before.answer.revision) return { ...head, ok, reason };
  const { answer } = state;
  return { ...head, ok, reason, answer, text: answer.text, value: answer.value };
}

/** What an item comes to that is left out because one it depends on failed; undefined where none did. */
export function leftOut(
  { key, item }: Waiting,
  before: readonly ItemResult[],
): ItemResult | undefined {
  const failed = before.find(({ ok }) => !ok);
  if (failed === undefined) return undefined;
  const reason = `left out: it depends on ${failed.key}, which did not end well`;
  return { ...NOTHING, key, item, reason };
}

/** Says what failed; where nothing ended well there is nothing to go on with. */
export function tellFailures<S extends Slots>(
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
