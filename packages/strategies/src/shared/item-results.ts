import {
  definePrompt,
  type ItemResult,
  type Language,
  ProviderError,
  type RunState,
  type SlotResult,
  type Slots,
  type StrategyContext,
  wordsIn,
} from "@loopwright/core/plugin";
import { oneLine } from "./one-line.ts";
import type { Waiting } from "./waves.ts";

/** What an item came to; an item whose stages gave no answer has a neutral one, and one cut short says why. */
export function resultOf(
  { key, item }: Pick<Waiting, "key" | "item">,
  task: string,
  result: SlotResult | undefined,
  before: RunState,
  language: Language,
): ItemResult {
  const head = { ...NOTHING, key, item, task: task === "" ? before.task.text : task };
  if (result === undefined) return { ...head, reason: wordsIn(language, NOT_REACHED) };
  const { ok, cutShort = "", state } = result;
  const reason = ok ? oneLine(cutShort) : result.reason;
  if (state.answer.revision === before.answer.revision) return { ...head, ok, reason };
  const { answer } = state;
  return { ...head, ok, reason, answer, text: answer.text, value: answer.value };
}

/** What an item comes to that is left out because one it depends on failed; undefined where none did. */
export function leftOut(
  { key, item }: Waiting,
  before: readonly ItemResult[],
  language: Language,
): ItemResult | undefined {
  const failed = before.find(({ ok }) => !ok);
  if (failed === undefined) return undefined;
  const reason = wordsIn(language, LEFT_OUT, { key: failed.key });
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
  const told = { count: results.length, reasons: [...reasons].join("; ") };
  throw new ProviderError("strategy-failed", context.words(NONE_ENDED_WELL, told));
}

/** What an item comes to that nothing was done for. */
export const NOTHING: ItemResult = {
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

const NOT_REACHED = definePrompt({ en: "it was not reached", zh: "没有执行到" });

const LEFT_OUT = definePrompt({
  en: "left out: it depends on {{key}}, which did not end well",
  zh: "已略去：它依赖的 {{key}} 没有顺利结束",
});

const NONE_ENDED_WELL = definePrompt({
  en: "none of {{count}} items ended well: {{reasons}}",
  zh: "{{count}} 项中没有一项顺利结束：{{reasons}}",
});
