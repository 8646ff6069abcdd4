import type { Answer, Json } from "@loopwright/core/plugin";
import { splitLastLine } from "./answer-of.ts";

/** One choice and who gave it, in the order in which it came up. */
export interface Votes<T> {
  readonly choice: string;
  readonly voters: readonly T[];
}

/** Counts equal choices; most votes first, and among equals the choice that came up first. Empty choices do not vote. */
export function countVotes<T>(
  voters: readonly T[],
  choiceOf: (voter: T) => string,
): readonly Votes<T>[] {
  const byChoice = new Map<string, T[]>();
  for (const voter of voters) {
    const choice = choiceOf(voter);
    const group = byChoice.get(choice);
    if (group !== undefined) group.push(voter);
    else if (choice !== "") byChoice.set(choice, [voter]);
  }
  return [...byChoice]
    .map(([choice, group]) => ({ choice, voters: group }))
    .toSorted((a, b) => b.voters.length - a.voters.length);
}

/** True when the leader stays ahead whatever the votes still to come say. */
export function isDecided(votes: readonly Votes<unknown>[], remaining: number): boolean {
  const [leader, second] = votes;
  if (leader === undefined) return false;
  return leader.voters.length - (second?.voters.length ?? 0) > remaining;
}

/** What an answer votes for: its typed value as canonical JSON, else its last line in lower case. */
export function choiceOfAnswer(answer: Answer): string {
  if (!answer.solvable) return "unsolvable";
  if (answer.value !== null) return canonicalJson(answer.value);
  return splitLastLine(answer.text).last.toLowerCase();
}

/** JSON with sorted keys, so that equal values are equal text. */
export function canonicalJson(value: Json): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`).join(",")}}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
