import type { RunState } from "@loopwright/core/plugin";

/**
 * Numbers and ids of a thought that stand in neither the task, its inputs, the plan nor a result.
 *
 * Let pass are other spellings of a known number (1,000 or 1千 for 1000, 18.0 or a rounded value, 35 % for 0.35), small
 * whole numbers, the numbers of lists and citations, dates and times of day, and what the thought calculates from values
 * it names.
 */
export function inventedValues(thought: string, state: RunState): readonly string[] {
  const known = knownText(state);
  const text = plain(thought).replaceAll(IGNORED, " ");
  const ids = [...text.matchAll(ID)].map(([id]) => id).filter((id) => digitsIn(id) >= minIdDigits);
  const values = numbersIn(text.replaceAll(ID, unitsOf));
  const numbers = new Set(numbersIn(known.replaceAll(DATE, separated)).map(({ value }) => value));
  const named = values.filter(({ value }) => numbers.has(value)).map(({ value }) => value);
  return [
    ...ids.filter((id) => !known.includes(id)),
    ...values
      .filter(
        (one) => !isSmall(one.value) && !isSpelling(one, numbers) && !isResult(one.value, named),
      )
      .map(({ text: written }) => written),
  ];
}

/** All that the run was given or found; what tools were asked is the model's own, and no source. */
function knownText({ task, plan, observations, answer, lessons }: RunState): string {
  const results = observations
    .filter(({ isThought }) => isThought !== true)
    .map(({ content, notes = [] }) => [content, ...notes].join("\n"));
  const given = [task, plan, answer.text, lessons.map(({ lesson, avoid }) => [lesson, avoid])];
  return plain([JSON.stringify(given), ...results].join("\n"));
}

function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\\.?";
/** Citations, numbers of list items, dates and times of day. */
const IGNORED = new RegExp(
  [
    "[\\w.:-]*observation-\\d+",
    "^\\s*\\(?\\d{1,2}[.)](?=\\s)",
    "\\d{1,4}[-/]\\d{1,2}[-/]\\d{1,4}(?:t[\\d:.]+z?)?",
    "\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\s?[ap]m)?",
    "\\d+\\s?(?:年|月|日|号|点|时(?!间))",
    `\\d{1,2}(?:st|nd|rd|th)?\\s(?:of\\s)?${MONTH}(?:,?\\s\\d{4})?`,
    `${MONTH}\\s\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s\\d{4})?`,
    "(?<=\\b(?:in|since|until|by|year)\\s)(?:19|20)\\d{2}\\b(?!\\s?[a-z¥$€%])",
  ].join("|"),
  "gmu",
);
const DATE = /\d{1,4}[-/]\d{1,2}[-/]\d{1,4}/gu;

function separated(text: string): string {
  return text.replaceAll(/[-/]/gu, " ");
}

/** Letters and digits in one word: `ord-1234`, `b09xyz`, but also `25km`, which is a number. */
const ID = /(?<![a-z0-9])(?=[a-z0-9_-]*[a-z])(?=[a-z0-9_-]*\d)[a-z0-9]+(?:[_-][a-z0-9]+)*/gu;
/** With fewer it is a name or a measure: `gpt-4`, `utf-8`, `24-hour`. */
const minIdDigits = 3;

function digitsIn(id: string): number {
  return WITH_UNIT.test(id) ? 0 : id.replaceAll(/\D/gu, "").length;
}

const WITH_UNIT = /^\d+(?:[a-z]{1,4}|-[a-z]+)$/u;

function unitsOf(id: string): string {
  return WITH_UNIT.test(id) ? id.replace(/^(\d+)-?/u, "$1 ") : " ";
}

/** A number as it is written. */
interface Written {
  readonly text: string;
  readonly value: number;
  /** What a word behind it may multiply it by. */
  readonly factor: number;
  readonly decimals: number;
}

function numbersIn(text: string): readonly Written[] {
  return [...text.matchAll(NUMBER)].map(([written, digits = "", unit = ""]) => {
    const plainDigits = digits.replaceAll(/[,_'\s]/gu, "");
    return {
      text: written.trim(),
      value: Number(plainDigits),
      factor: FACTORS[unit] ?? 1,
      decimals: plainDigits.split(".")[1]?.length ?? 0,
    };
  });
}

const NUMBER =
  /(?<![\d.])(\d{1,3}(?:[,_' ]\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)(?:\s?(k|thousand|m|million|billion|%|千|万|亿)(?![a-z]))?/gu;

const FACTORS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  billion: 1e9,
  千: 1e3,
  万: 1e4,
  亿: 1e8,
  "%": 0.01,
};

const maxSmall = 10;
/** Hours, minutes, days of a year, and the whole of a share. */
const COMMON = new Set([12, 24, 60, 100, 365]);

function isSmall(value: number): boolean {
  return (Number.isInteger(value) && value <= maxSmall) || COMMON.has(value);
}

function isSpelling({ value, factor, decimals }: Written, known: ReadonlySet<number>): boolean {
  const meant = [value, value * factor, value * 100, value / 100];
  if (meant.some((one) => known.has(Number(one.toPrecision(12))))) return true;
  return [...known].some((one) => Number(one.toFixed(decimals)) === value);
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
