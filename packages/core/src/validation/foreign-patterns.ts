import { isBoundedPattern } from "../spec/text/longest-text.ts";

/** What is known of the patterns of a schema from outside. */
export interface ForeignPatterns {
  /** Those that are not matched, because they could take unbounded time. */
  readonly unchecked: readonly string[];
  /** Why the schema can't be used. */
  readonly fault?: string;
}

/** The longest pattern that is looked into, and how much of all patterns of a schema is. */
const maxPatternChars = 500;
const maxAllChars = 2_000;

/** Where a pattern that is taken to fit would turn the meaning of the schema. */
const turning: ReadonlySet<string> = new Set(["not", "if", "oneOf", "contains"]);

/**
 * Looks at the patterns of a schema from outside. One that could take unbounded time is left unchecked where that only lets
 * more through; where something else rests on it, the schema can't be used.
 */
export function readPatterns(schema: unknown): ForeignPatterns {
  const review = new Review();
  review.walk(schema, false);
  const unchecked = [...review.unchecked];
  const decisive = review.decisive ?? (review.hasTurningReference ? unchecked[0] : undefined);
  return decisive === undefined
    ? { unchecked }
    : {
        unchecked,
        fault: `its pattern \`${decisive.slice(0, 100)}\` can take unbounded time, and more than one text rests on it`,
      };
}

class Review {
  readonly unchecked = new Set<string>();
  /** An unbounded pattern that something else rests on. */
  decisive: string | undefined;
  /** Whether what is turned stands elsewhere. */
  hasTurningReference = false;
  #chars = 0;

  walk(part: unknown, isTurned: boolean): void {
    if (typeof part !== "object" || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (key === "pattern" && typeof value === "string") this.#look(value, isTurned);
      if (key === "patternProperties" && typeof value === "object" && value !== null)
        for (const pattern of Object.keys(value)) this.#look(pattern, true);
      if (isTurned && (key === "$ref" || key === "$recursiveRef")) this.hasTurningReference = true;
      this.walk(value, isTurned || turning.has(key));
    }
  }

  #look(pattern: string, isDecisive: boolean): void {
    this.#chars += pattern.length;
    const isShort = pattern.length <= maxPatternChars && this.#chars <= maxAllChars;
    if (isShort && isBoundedPattern(pattern)) return;
    if (isDecisive) this.decisive ??= pattern;
    else this.unchecked.add(pattern);
  }
}
