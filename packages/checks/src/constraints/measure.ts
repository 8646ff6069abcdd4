/** What lengths are counted in; `signs` are Chinese characters, in which a Latin word or a number may count as one. */
export type Unit = "words" | "characters" | "signs" | "sentences" | "lines" | "paragraphs";

/** Counts a text's length: the smallest and the largest count that can be defended. */
export function measure(text: string, unit: Unit): readonly [number, number] {
  return counters[unit](text);
}

const counters: Readonly<Record<Unit, (text: string) => readonly [number, number]>> = {
  words: (text) =>
    /\p{Script=Han}/u.test(text)
      ? [0, Infinity]
      : range(countWords(text), countAll(text, /[\p{L}\p{M}\p{N}]+(?:['’.,][\p{L}\p{N}]+)*/gu)),
  characters: (text) => [countAll(text, /\S/gu), Array.from(text).length],
  signs: (text) => [
    countAll(text, /\p{Script=Han}|[\p{Script=Latin}\p{N}]+/gu),
    countAll(text, /\S/gu),
  ],
  sentences: (text) => range(fewestSentences(text), mostSentences(text)),
  lines: (text) => exactly(text.split("\n").filter((line) => line.trim() !== "").length),
  paragraphs: (text) => exactly(text.split(/\n\s*\n/).filter((part) => part.trim() !== "").length),
};

/** Only what no one reads otherwise: no full stop of a short form or an initial ends a sentence here. */
function fewestSentences(text: string): number {
  const plain = text.replaceAll(
    /\b(?:Mr|Mrs|Ms|Dr|Prof|St|Nos?|vs|etc|Inc|Ltd|Co|approx|e\.g|i\.e|a\.m|p\.m|U\.S|\p{Lu})\.(?=\s+\S)/gu,
    " ",
  );
  return countAll(plain, /[.!?]+["')\]]*(?=\s+["'([]?\p{Lu}|\s*$)|[。！？]+/gu) + openEnd(plain);
}

function mostSentences(text: string): number {
  return countAll(text, /[.!?]+(?=\s|["')\]]|$)|[。！？；;…]+|\n+(?=\s*\S)/gu) + openEnd(text);
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
}

/** A last sentence without its full stop counts too. */
function openEnd(text: string): number {
  return /[\p{L}\p{N}][^.!?。！？]*$/u.test(text.trim()) ? 1 : 0;
}

function countAll(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function range(first: number, second: number): readonly [number, number] {
  return [Math.min(first, second), Math.max(first, second)];
}

function exactly(count: number): readonly [number, number] {
  return [count, count];
}
