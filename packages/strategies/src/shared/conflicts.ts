import {
  type Constraint,
  definePrompt,
  type Language,
  type Task,
  wordsIn,
} from "@loopwright/core/plugin";
import { CONFLICT_PATTERNS, type WishCues } from "./conflict-patterns.ts";
import { tradeoffText } from "./conflict-words.ts";
import { isSameText, maybeAbout, namesText } from "./plain-words.ts";
import type { PlannedConflict } from "./planned-conflict.ts";

/** The conflicts that the words of a task suggest, a line each; every one may be a false alarm. */
export function likelyConflicts(task: Task, language: Language): readonly string[] {
  const inputs = Object.values(task.inputs).filter((value) => typeof value === "string");
  const wishes = [
    task.text,
    task.mission,
    task.deliverable,
    ...task.constraints.map(({ text }) => text),
    ...inputs.filter((text) => text.length <= maxInputChars),
  ].join("\n");
  const text = wishes.normalize("NFKC").toLowerCase();
  return CONFLICT_PATTERNS.flatMap(({ sides: [left, right] }) => {
    const [one, other] = [cueIn(left, text), cueIn(right, text)];
    if (one === undefined || other === undefined || one === other) return [];
    const sides = { left: wordsIn(language, left.name), right: wordsIn(language, right.name) };
    return [wordsIn(language, LIKELY, { ...sides, one, other })];
  });
}

/** A longer input is material to work on, not a wish. */
const maxInputChars = 300;

function cueIn({ en, zh }: WishCues, text: string): string | undefined {
  const word = new RegExp(`(?<![\\p{L}\\p{N}-])(?:${en})(?![\\p{L}\\p{N}-])`, "u").exec(text);
  return word?.[0] ?? new RegExp(zh, "u").exec(text)?.[0];
}

/** What becomes of the conflicts of a plan. */
interface Settled {
  /** The conflicts that a person must decide. */
  readonly open: readonly PlannedConflict[];
  /** How the others are settled, in words. */
  readonly tradeoffs: readonly string[];
  /** The hard constraints that give way to a stated preference. */
  readonly relaxed: readonly string[];
}

/**
 * Sorts conflicts into settled and open ones: a hard constraint gives way to a stated preference or a person alone, so a
 * conflict with one is open unless the wish that gives way is the other one.
 */
export function settle(
  conflicts: readonly PlannedConflict[],
  constraints: readonly Constraint[],
  language: Language,
): Settled {
  const hardIn = ({ relaxed }: PlannedConflict): readonly Constraint[] =>
    constraints.filter(({ text }) => namesText(relaxed, text));
  const isOpen = (conflict: PlannedConflict): boolean =>
    conflict.resolution === "ask" ||
    (conflict.resolution !== "preference" && mayCostHard(conflict, constraints));
  const settled = conflicts.filter((conflict) => !isOpen(conflict));
  return {
    open: conflicts.filter(isOpen),
    tradeoffs: settled.map((conflict) => tradeoffText(conflict, hardIn(conflict), language)),
    relaxed: settled.flatMap((conflict) => hardIn(conflict).map(({ text }) => text)),
  };
}

/** True where a hard constraint may be what gives way: one is named, and no other wish is said to. */
function mayCostHard(
  { between, relaxed }: PlannedConflict,
  constraints: readonly Constraint[],
): boolean {
  const isHard = (wish: string): boolean => constraints.some(({ text }) => maybeAbout(wish, text));
  if (isHard(relaxed)) return true;
  const soft = between.filter((wish) => !isHard(wish));
  return soft.length < between.length && !soft.some((wish) => isSameText(wish, relaxed));
}

const LIKELY = definePrompt({
  en: '- {{left}} ("{{one}}") against {{right}} ("{{other}}")',
  zh: "- {{left}}（“{{one}}”）与{{right}}（“{{other}}”）相冲突",
});
