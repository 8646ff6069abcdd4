/** A text in one width and one case, as values are compared. */
export function plainText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** A number as it is written. */
export interface WrittenNumber {
  readonly text: string;
  readonly value: number;
  /** What a word behind it may multiply it by. */
  readonly factor: number;
  readonly decimals: number;
}

/** The numbers of a plain text, in their order. */
export function numbersIn(text: string): readonly WrittenNumber[] {
  return [...text.matchAll(NUMBER)].map(([written, digits = "", unit = ""]) => {
    const plainDigits = digits.replaceAll(/[,_'\s]/gu, "");
    return {
      text: written.trim(),
      value: Number(plainDigits),
      factor: FACTORS[unit] ?? 1,
      decimals: Math.min(maxDecimals, plainDigits.split(".")[1]?.length ?? 0),
    };
  });
}

/** A number has no more of them in a float. */
const maxDecimals = 15;

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

/** The ids of a plain text: letters and digits in one word, as in `ord-1234` or `b09xyz`. */
export function idsIn(text: string): readonly string[] {
  return (text.match(WORD) ?? []).filter((word) => isId(word) && digitsIn(word) >= minIdDigits);
}

/** A plain text whose ids are blanks, and whose measures, such as `25km`, are numbers with their units. */
export function withoutIds(text: string): string {
  return text.replaceAll(WORD, (word) => {
    if (!isId(word)) return word;
    return WITH_UNIT.test(word) ? word.replace(/^(\d+)-?/u, "$1 ") : " ";
  });
}

/** Each character belongs to one word at most, so the work grows as the text does. */
const WORD = /[a-z0-9]+(?:[_-][a-z0-9]+)*/gu;

/** With fewer it is a name or a measure: `gpt-4`, `utf-8`, `24-hour`. */
const minIdDigits = 3;

const WITH_UNIT = /^\d+(?:[a-z]{1,4}|-[a-z]+)$/u;

function isId(word: string): boolean {
  return /[a-z]/u.test(word) && /\d/u.test(word);
}

function digitsIn(id: string): number {
  return WITH_UNIT.test(id) ? 0 : id.replaceAll(/\D/gu, "").length;
}
