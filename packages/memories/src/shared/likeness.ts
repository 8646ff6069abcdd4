import type { Lesson } from "@loopwright/core/plugin";
import { fold, wordsOf } from "./words.ts";

/** The share of common words from which two lessons say the same. */
const NEARLY_EQUAL = 0.9;
/** A number or a negation turns a sentence into another one, however much the rest agrees. */
const DECISIVE =
  /\p{N}|^(?:no|not|never|none|without|don|doesn|cannot|unless|except)$|[不没沒無无未别別勿非]/u;

type Said = Pick<Lesson, "trigger" | "lesson">;

/** Tells whether two lessons say the same. */
export function isAlike(one: Said, other: Said): boolean {
  if (sayingOf(one) === sayingOf(other)) return true;
  const [left, right] = [wordsOf(textOf(one)), wordsOf(textOf(other))];
  const smaller = Math.min(left.size, right.size);
  const larger = Math.max(left.size, right.size);
  if (smaller === 0 || smaller / larger < NEARLY_EQUAL) return false;
  const differing = [...left]
    .filter((word) => !right.has(word))
    .concat([...right].filter((word) => !left.has(word)));
  const all = (left.size + right.size + differing.length) / 2;
  return (
    (all - differing.length) / all >= NEARLY_EQUAL && !differing.some((word) => DECISIVE.test(word))
  );
}

function textOf(said: Said): string {
  return `${said.trigger}\n${said.lesson}`;
}

function sayingOf(said: Said): string {
  return JSON.stringify([fold(said.trigger), fold(said.lesson)]);
}
