import type { RunState } from "@loopwright/core/plugin";
import { numbersIn, plainText } from "./written-numbers.ts";

/** What a run was given or found, to look values up in. */
export interface KnownValues {
  readonly hasText: (text: string) => boolean;
  readonly hasNumber: (value: number) => boolean;
  /** True where a known number is `value` once it is rounded to so many decimals. */
  readonly hasRounded: (value: number, decimals: number) => boolean;
}

/** All that the run was given or found; what tools were asked is the model's own, and no source. */
export function knownValues({ task, plan, observations, answer, lessons }: RunState): KnownValues {
  const sources = [
    sourceOf(task, () => JSON.stringify(task)),
    sourceOf(plan, () => JSON.stringify(plan)),
    sourceOf(answer, () => answer.text),
    ...lessons.map((one) => sourceOf(one, () => JSON.stringify([one.lesson, one.avoid]))),
    ...observations
      .filter(({ isThought }) => isThought !== true)
      .map((one) => sourceOf(one, () => [one.content, ...(one.notes ?? [])].join("\n"))),
  ];
  return {
    hasText: (text) => sources.some((source) => source.text.includes(text)),
    hasNumber: (value) => sources.some(({ numbers }) => numbers.has(value)),
    hasRounded: (value, decimals) =>
      sources.some((source) => roundedOf(source, decimals).has(value)),
  };
}

/** A text with the numbers in it, also rounded to as many decimals as were asked for. */
interface Source {
  readonly text: string;
  readonly numbers: ReadonlySet<number>;
  readonly rounded: Map<number, ReadonlySet<number>>;
}

const read = new WeakMap<object, Source>();

/** Parts of a state never change, so each is read once, however many steps come after it. */
function sourceOf(part: object, textOf: () => string): Source {
  const known = read.get(part);
  if (known !== undefined) return known;
  const text = plainText(textOf());
  const numbers = numbersIn(text.replaceAll(DATE, separated)).map(({ value }) => value);
  const source = { text, numbers: new Set(numbers), rounded: new Map() };
  read.set(part, source);
  return source;
}

const DATE = /\d{1,4}[-/]\d{1,2}[-/]\d{1,4}/gu;

function separated(text: string): string {
  return text.replaceAll(/[-/]/gu, " ");
}

function roundedOf({ numbers, rounded }: Source, decimals: number): ReadonlySet<number> {
  const known = rounded.get(decimals);
  if (known !== undefined) return known;
  const set = new Set([...numbers].map((one) => Number(one.toFixed(decimals))));
  rounded.set(decimals, set);
  return set;
}
