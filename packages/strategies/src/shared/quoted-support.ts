import type { Json } from "@loopwright/core/plugin";

/**
 * Whether quoted words stand in a text and hold a value: a text as whole words, a number as a whole number. Of a list, whose
 * items may stand apart, every item stands somewhere in the text.
 */
export function isSupported(value: Json, quote: string, text: string): boolean {
  if (fold(quote) === "") return false;
  const whole = fold(text);
  if (!whole.includes(fold(quote))) return false;
  return Array.isArray(value)
    ? value.every((item) => holds(whole, item))
    : holds(fold(quote), value);
}

function holds(words: string, value: Json): boolean {
  if (typeof value === "string") return holdsWords(words, fold(value));
  return typeof value === "number" ? holdsNumber(words, value) : true;
}

function holdsWords(words: string, value: string): boolean {
  for (let at = words.indexOf(value); at >= 0; at = words.indexOf(value, at + 1)) {
    const end = at + value.length;
    if (!goesOn(words, at) && !goesOn(words, end)) return true;
  }
  return false;
}

/** Whether a word goes on across a place; in scripts without spaces between words none does. */
function goesOn(words: string, at: number): boolean {
  return (
    isOfWord(words.slice(0, at).slice(-2), "last") && isOfWord(words.slice(at, at + 2), "first")
  );
}

function isOfWord(pair: string, which: "first" | "last"): boolean {
  const characters = Array.from(pair);
  const character = (which === "first" ? characters[0] : characters.at(-1)) ?? "";
  return /[\p{L}\p{N}\p{M}]/u.test(character) && !UNSPACED.test(character);
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Whether a number stands among words, whatever its marks for thousands and decimals. */
function holdsNumber(words: string, value: number): boolean {
  const joined = words.replaceAll(/(?<=\d)[ '’](?=\d{3}(?!\d))/gu, "");
  return [words, joined].some((reading) =>
    [...reading.matchAll(NUMBER)].some(([, sign = "", digits = ""]) =>
      // A hyphen may also join, as in a date.
      sizesOf(digits).some((size) => size === value || (sign !== "" && -size === value)),
    ),
  );
}

const NUMBER = /([-−]?)(\d+(?:[.,]\d+)*)/gu;

/** What digits with points and commas may say: one number, in one way or two, or several, as in a date or a list. */
function sizesOf(digits: string): readonly number[] {
  const marks = digits.match(/[.,]/gu) ?? [];
  const last = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","));
  const groups = digits.split(/[.,]/u);
  const [, ...behind] = groups;
  const areThousands = (parts: readonly string[]) => parts.every(({ length }) => length === 3);
  const whole = Number(groups.join(""));
  const isOneMark = new Set(marks).size <= 1;
  if (isOneMark && marks.length > 1) return areThousands(behind) ? [whole] : groups.map(Number);
  const decimal = Number(`${groups.slice(0, -1).join("")}.${digits.slice(last + 1)}`);
  if (marks.length === 0) return [whole];
  if (isOneMark) return areThousands(behind) ? [whole, decimal] : [decimal];
  return areThousands(behind.slice(0, -1)) ? [decimal] : groups.map(Number);
}

/** Text without differences of space and of width alone. */
function fold(text: string): string {
  return text.normalize("NFKC").replaceAll(/\s+/gu, " ").trim();
}
