import { readFileSync } from "node:fs";

/** A text that a tool returns and that tries to steer the model. */
export interface Attempt {
  readonly id: string;
  readonly language: "en" | "zh";
  readonly carrier: string;
  /** What the detector tells of it at least. */
  readonly kinds: readonly string[];
  readonly text: string;
}

interface PaddedAttempt extends Attempt {
  /** Stands before the text, so many times. */
  readonly padding?: { readonly text: string; readonly times: number };
}

const FOLDER = new URL("../../../../fixtures/injections/", import.meta.url);

/** The corpus of attempts; `fixtures/injections/SOURCE.md` tells of it. */
export function attempts(): readonly Attempt[] {
  return lines("attempts.jsonl").map((line) => {
    const { padding, ...attempt } = JSON.parse(line) as PaddedAttempt;
    const before = padding === undefined ? "" : padding.text.repeat(padding.times);
    return { ...attempt, text: before + attempt.text };
  });
}

/** Ordinary results of tools. */
export function benignResults(): readonly string[] {
  return lines("benign.jsonl").map((line) => (JSON.parse(line) as { readonly text: string }).text);
}

function lines(name: string): readonly string[] {
  return readFileSync(new URL(name, FOLDER), "utf8").trimEnd().split("\n");
}
