import type { Observation, Task } from "@loopwright/core/plugin";
import { parseJson, strings } from "../shared/answer-texts.ts";
import { findClaims, plainNumber } from "../shared/claims.ts";
import { comparable, holdsPhrase } from "../shared/comparable-text.ts";
import { type FoundDate, isKnownDate, knownDates } from "../shared/dates.ts";

/** What an answer may rest on: the observations it cites, and the task. */
export interface Sources {
  holdsDate(date: FoundDate): boolean;
  holdsId(id: string): boolean;
  holdsQuote(quote: string): boolean;
  holdsNumber(number: string): boolean;
}

/** Reads sources once, for many questions. */
export function readSources(observations: readonly Observation[], task: Task): Sources {
  const text = [
    ...observations.flatMap(({ content }) => [content, ...strings(parseJson(content) ?? null)]),
    ...textsOfTask(task),
  ].join("\n");
  const plain = comparable(text);
  const dates = knownDates(text);
  // A number that is part of a date or an id of a source is known too.
  const numbers = new Set(
    [...findClaims(text).numbers, ...(text.match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? [])].map(
      plainNumber,
    ),
  );
  return {
    holdsDate: (date) => isKnownDate(date, dates),
    holdsId: (id) => holdsPhrase(plain, comparable(id)),
    holdsQuote: (quote) => quoteParts(quote).every((part) => holdsPhrase(plain, part)),
    holdsNumber: (number) => numbers.has(plainNumber(number)),
  };
}

/** What quotation marks enclose, without closing punctuation, apart where dots leave something out. */
function quoteParts(quote: string): readonly string[] {
  return comparable(quote)
    .split(/\.{3,}|\[\.{3}\]/)
    .map((part) => part.replace(/^[\s,;:]+|[\s.,;:!?。，！？]+$/g, ""))
    .filter((part) => part !== "");
}

function textsOfTask({ text, mission, deliverable, inputs, constraints }: Task): readonly string[] {
  return [
    text,
    mission,
    deliverable,
    JSON.stringify(inputs),
    ...strings(inputs),
    ...constraints.map((constraint) => constraint.text),
  ];
}
