import type { RunState } from "@loopwright/core/plugin";
import { type KnownValues, knownValues } from "./known-values.ts";
import { idsIn, numbersIn, plainText, withoutIds, type WrittenNumber } from "./written-numbers.ts";

/** So many different ids, and so many different numbers, are judged. */
const maxJudged = 200;

/**
 * Numbers and ids of a thought that stand in neither the task, its inputs, the plan nor a result.
 *
 * Let pass are other spellings of a known number (1,000 or 1千 for 1000, 18.0 or a rounded value, 35 % for 0.35), small
 * whole numbers, the numbers of lists and citations, dates and times of day, and what the thought calculates from values
 * it names.
 */
export function inventedValues(thought: string, state: RunState): readonly string[] {
  const known = knownValues(state);
  const text = plainText(thought).replaceAll(IGNORED, " ");
  const ids = [...new Set(idsIn(text))].slice(0, maxJudged);
  const written = numbersIn(withoutIds(text)).map((one) => [one.text, one] as const);
  const numbers = [...new Map(written).values()].slice(0, maxJudged);
  const named = numbers.filter(({ value }) => known.hasNumber(value)).map(({ value }) => value);
  return [
    ...ids.filter((id) => !known.hasText(id)),
    ...numbers
      .filter(
        (one) => !isSmall(one.value) && !isSpelling(one, known) && !isResult(one.value, named),
      )
      .map((one) => one.text),
  ];
}

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}\\.?";
/** Citations, numbers of list items, dates and times of day; each run is bounded, or begins where a word does. */
const IGNORED = new RegExp(
  [
    "(?<![\\w.:-])[\\w.:-]*observation-\\d+",
    "^[^\\S\\n]{0,20}\\(?\\d{1,2}[.)](?=\\s)",
    "\\d{1,4}[-/]\\d{1,2}[-/]\\d{1,4}(?:t[\\d:.]{1,20}z?)?",
    "\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\s?[ap]m)?",
    "(?<!\\d)\\d{1,8}\\s?(?:年|月|日|号|点|时(?!间))",
    `\\d{1,2}(?:st|nd|rd|th)?\\s(?:of\\s)?${MONTH}(?:,?\\s\\d{4})?`,
    `${MONTH}\\s\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s\\d{4})?`,
    "(?<=\\b(?:in|since|until|by|year)\\s)(?:19|20)\\d{2}\\b(?!\\s?[a-z¥$€%])",
  ].join("|"),
  "gmu",
);

const maxSmall = 10;
/** Hours, minutes, days of a year, and the whole of a share. */
const COMMON = new Set([12, 24, 60, 100, 365]);

function isSmall(value: number): boolean {
  return (Number.isInteger(value) && value <= maxSmall) || COMMON.has(value);
}

function isSpelling({ value, factor, decimals }: WrittenNumber, known: KnownValues): boolean {
  const meant = [value, value * factor, value * 100, value / 100];
  if (meant.some((one) => known.hasNumber(Number(one.toPrecision(12))))) return true;
  return known.hasRounded(value, decimals);
}

const maxNamed = 12;

/** True for a sum, difference, product, quotient or share of two values that the thought names. */
function isResult(value: number, named: readonly number[]): boolean {
  const values = [
    ...named.slice(0, maxNamed),
    ...Array.from({ length: maxSmall }, (_none, index) => index + 1),
  ];
  const isNear = (result: number): boolean =>
    Math.abs(result - value) <= 0.005 * Math.max(1, value);
  if (isNear(named.reduce((sum, one) => sum + one, 0))) return named.length > 0;
  return named.some((one) =>
    values.some((other) =>
      [one + other, one - other, one * other, one / other, other / one, (100 * one) / other].some(
        isNear,
      ),
    ),
  );
}
