import { costOfPattern } from "./pattern-cost.ts";

/** What is wrong with a pattern, as the end of a sentence that begins with its name. */
export interface PatternFault {
  readonly kind: "malformed" | "slow";
  readonly message: string;
  readonly suggestion: string;
}

/** The longest pattern that a spec may hold, in characters. */
const longestPattern = 200;

const steepest = 2;
const mostChoices = 1_000;

/**
 * Says why a pattern cannot be used on texts that a model or a user wrote: it is malformed, or could take time out of all
 * proportion to the text. Takes linear time itself.
 */
export function faultOfPattern(pattern: string): PatternFault | undefined {
  if (pattern.length > longestPattern)
    return {
      kind: "slow",
      message: `is longer than ${longestPattern} characters`,
      suggestion: "write a shorter pattern, or several that all have to fit",
    };
  const reason = syntaxFault(pattern);
  if (reason !== undefined)
    return {
      kind: "malformed",
      message: `is malformed: ${reason}`,
      suggestion: repairOf(pattern, reason),
    };
  const isBack = /\\[1-9k]|\(\?<?[=!]/u.test(pattern.replaceAll(/\\\\/g, ""));
  const cost = isBack ? undefined : costOfPattern(pattern);
  if (cost === undefined || cost.isExponential) {
    return {
      kind: "slow",
      message:
        "repeats a group of varying length, looks around or refers back, which can take unbounded time",
      suggestion: "write a simpler pattern, or several simple ones that all have to fit",
    };
  }
  if (cost.degree <= steepest && cost.factor <= mostChoices) return undefined;
  return {
    kind: "slow",
    message:
      "has several parts of open length that may take the same characters, which can take very long on a text that does not fit",
    suggestion: `${pattern.startsWith("^") ? "" : "begin it with `^`, and "}put a character between the parts that neither may hold`,
  };
}

function repairOf(pattern: string, reason: string): string {
  if (pattern === "") return "write a pattern, or delete the line";
  if (/unterminated group/i.test(reason))
    return "add the missing `)`, or write `\\(` for a bracket";
  if (/unmatched '\)'/i.test(reason)) return "add the missing `(`, or write `\\)` for a bracket";
  if (/unterminated character class/i.test(reason))
    return "add the missing `]`, or write `\\[` for a bracket";
  if (/nothing to repeat/i.test(reason))
    return "write what is repeated before it, or `\\` for the character itself";
  return "write `\\` before a character that stands for itself";
}

function syntaxFault(pattern: string): string | undefined {
  try {
    return new RegExp(pattern, "u").source === "(?:)" ? "it is empty" : undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : "unknown";
  }
}
