/**
 * Text as it counts when two sayings are held to be the same: without differences of case, width and spaces, and without
 * the stop at its end. Signs and digits stay: `< 100` is not `> 100`.
 */
export function plainText(text: string): string {
  return text
    .replaceAll(FULL_WIDTH, (letter) => letter.normalize("NFKC"))
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .trim()
    .replace(/^["“](.*)["”]$/u, "$1")
    .replace(/[\s.。!;,]+$/u, "");
}

const FULL_WIDTH = /[\uFF01-\uFFEE]/gu;

/** True when two texts say the same, word for word. */
export function isSameText(one: string, other: string): boolean {
  return plainText(one) === plainText(other);
}

/** True when `said` is the text, or its beginning and most of it; what negates or bounds a text is never what is left over. */
export function namesText(said: string, text: string): boolean {
  const [part, whole] = [plainText(said), plainText(text)];
  if (part === whole) return part !== "";
  const rest = whole.slice(part.length);
  return (
    whole.startsWith(part) &&
    part.length >= whole.length * leastPart &&
    /^[\s,;:(]/u.test(rest) &&
    !/\d/u.test(rest)
  );
}

/** The least share of a text that names all of it. */
const leastPart = 0.75;

/** True when `said` may be about the text: one stands in the other, or they share most of their words. In doubt it is. */
export function maybeAbout(said: string, text: string): boolean {
  const [one, other] = [lettersOf(said), lettersOf(text)];
  if (isLong(one) && other.includes(one)) return true;
  if (isLong(other) && one.includes(other)) return true;
  const words = wordsOf(said);
  const known = new Set(wordsOf(text));
  const shared = words.filter((word) => known.has(word)).length;
  return words.length >= 3 && shared >= words.length * leastShare;
}

const leastShare = 0.6;

function lettersOf(text: string): string {
  return plainText(text).replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function wordsOf(text: string): readonly string[] {
  return [...new Set(plainText(text).match(/[\p{L}\p{N}]+/gu))];
}

/** A few letters stand anywhere; a Chinese word has two. */
function isLong(letters: string): boolean {
  return letters.length >= (/\p{Script=Han}/u.test(letters) ? 2 : 6);
}
