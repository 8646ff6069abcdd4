import type { Lesson } from "@loopwright/core/plugin";
import { contentWordsOf } from "./words.ts";

/** How much a word counts where it stands. */
const WEIGHTS = { trigger: 2, failurePattern: 1, lesson: 1 } as const;

interface Ranked {
  readonly lesson: Lesson;
  readonly score: number;
}

/**
 * The lessons that fit a text, the most fitting first and the newest first among equals; where fewer than `max` share a
 * word with it, the most used ones fill up.
 */
export function rank(lessons: readonly Lesson[], text: string, max: number): readonly Lesson[] {
  const query = contentWordsOf(text);
  const documents = lessons.map(weightedWordsOf);
  const rarity = rarityIn(documents);
  const ranked = lessons.map((lesson, index) => ({
    lesson,
    score: scoreOf(query, documents[index] ?? new Map(), rarity),
  }));
  const fitting = ranked.filter((one) => one.score > 0).toSorted(byScore);
  const others = ranked.filter((one) => one.score === 0).toSorted(byUses);
  return [...fitting, ...others].slice(0, max).map((one) => one.lesson);
}

/** Newest first; what can't be read as a time counts as oldest. */
export function byTime(one: Lesson, other: Lesson): number {
  return timeOf(other) - timeOf(one);
}

function byScore(one: Ranked, other: Ranked): number {
  return other.score - one.score || byTime(one.lesson, other.lesson);
}

function byUses(one: Ranked, other: Ranked): number {
  return other.lesson.uses - one.lesson.uses || byTime(one.lesson, other.lesson);
}

function weightedWordsOf(lesson: Lesson): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const [field, weight] of Object.entries(WEIGHTS)) {
    const text = lesson[field as keyof typeof WEIGHTS];
    for (const word of contentWordsOf(text))
      weights.set(word, Math.max(weight, weights.get(word) ?? 0));
  }
  return weights;
}

/** Inverse document frequency, smoothed so that a word of every lesson still counts a little. */
function rarityIn(documents: readonly ReadonlyMap<string, number>[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const document of documents) {
    for (const word of document.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return (word) => Math.log(1 + documents.length / (counts.get(word) ?? 1));
}

function scoreOf(
  query: ReadonlySet<string>,
  document: ReadonlyMap<string, number>,
  rarity: (word: string) => number,
): number {
  let score = 0;
  for (const word of query) score += (document.get(word) ?? 0) * rarity(word);
  return score / Math.sqrt(Math.max(1, document.size));
}

function timeOf(lesson: Lesson): number {
  const time = Date.parse(lesson.time);
  return Number.isNaN(time) ? 0 : time;
}
