import { isAscii } from "./look-alikes.ts";
import { maxDepth } from "./spec-node.ts";
import { scalarFollows } from "./yaml-tokens.ts";

/** What the lexemes of a YAML text tell before they are made into tokens. */
export interface LexemeSurvey {
  /** Whether an anchor is set or used. */
  readonly hasAnchors: boolean;
  /** Whether there is anything that YAML may read not as it was meant, or too deep. */
  readonly mayHoldTraps: boolean;
}

/** Looks over the lexemes; most texts hold no trap, and need no tokens. */
export function surveyLexemes(lexemes: readonly string[]): LexemeSurvey {
  let hasAnchors = false;
  let mayHoldTraps = false;
  let levels = 0;
  let before = "";
  for (const source of lexemes) {
    const first = source[0] ?? "";
    if (before === scalarFollows) {
      if (source.includes("\n") || !isAscii(source)) mayHoldTraps = true;
    } else if (first === "&" || first === "*") hasAnchors = true;
    else if (first === "!" || first === "%") mayHoldTraps = true;
    else if ("{[-?".includes(first) && source.length === 1) levels += 1;
    if (source === "{" && (before === "{" || before.endsWith("$"))) mayHoldTraps = true;
    before = source;
  }
  return { hasAnchors, mayHoldTraps: mayHoldTraps || levels > maxDepth };
}
