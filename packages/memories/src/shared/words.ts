/** Words that carry no meaning of their own in a query. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "a an and any are as at be been but by can did do does for from had has have he how i if in is it its me my of on " +
    "or our please she should so than that the their them then there they this to was we were what when where which " +
    "who will with would you your"
  ).split(" "),
);

const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const WORD_BEFORE_UNSPACED =
  /(?<=[\p{L}\p{N}])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu;

/** Folds what two spellings of one text may differ in: width, case, spaces, punctuation around it (unless it is all). */
export function fold(text: string): string {
  const spaced = text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
  return spaced.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, "") || spaced;
}

/** The words of a text, without plural endings; bigrams where a script sets no spaces. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  const spaced = text.normalize("NFKC").toLowerCase().replace(WORD_BEFORE_UNSPACED, " ");
  for (const [run] of spaced.matchAll(RUN)) {
    if (UNSPACED.test(run)) for (const pair of bigramsOf(run)) words.add(pair);
    else words.add(withoutPlural(run));
  }
  return words;
}

/** The words of a text that carry meaning. */
export function contentWordsOf(text: string): ReadonlySet<string> {
  return new Set([...wordsOf(text)].filter((word) => !EMPTY_WORDS.has(word)));
}

function bigramsOf(run: string): readonly string[] {
  const letters = Array.from(run);
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ""}${letter}`);
}

function withoutPlural(word: string): string {
  return /^[a-z]{3,}[^su]s$/u.test(word) ? word.slice(0, -1) : word;
}
