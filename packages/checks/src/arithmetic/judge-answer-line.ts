import { type Issue, SpecError } from "@loopwright/core/plugin";
import { computeTokens } from "../shared/arithmetic-expression.ts";
import { tokenizeArithmetic } from "../shared/arithmetic-tokens.ts";
import { excerpt } from "../shared/comparable-text.ts";
import { type Fraction, isWithin, toText } from "../shared/fraction.ts";

/** The most of a line that an issue repeats. */
const maxQuoted = 200;

/** What the last line of an answer must be; options as the spec gives them or a template renders them. */
export interface Wanted {
  readonly equals: number | string | undefined;
  readonly uses: readonly number[] | string | undefined;
  readonly tolerance: Fraction;
}

/** Judges the expression on the last line of an answer: which whole numbers it uses, and its exact value. */
export function judgeAnswerLine(
  text: string,
  { equals, uses, tolerance }: Wanted,
): readonly Issue[] {
  const line = text.trim().split("\n").at(-1) ?? "";
  const expression = (line.toLowerCase().replaceAll("answer: ", "").split("=")[0] ?? "").trim();
  const shown = excerpt(expression, maxQuoted);
  const numbers = expression.match(/\d+/g) ?? [];
  const wanted = uses === undefined ? undefined : wholeNumbers(uses);
  if (wanted !== undefined && !isSameBag(numbers, wanted)) {
    const action = `End with one line that uses each of ${wanted.join(", ")} exactly once, like "Answer: (1 + 2) * 3 = 9".`;
    return [
      issue(
        `"${shown}" uses ${numbers.length === 0 ? "no number" : excerpt(numbers.join(", "), maxQuoted)}; it must use exactly ${wanted.join(", ")}.`,
        action,
      ),
    ];
  }
  if (equals === undefined) return [];
  const target = valueOf(String(equals));
  if (target === undefined)
    throw new SpecError(
      "spec-invalid",
      `\`arithmetic\`: \`equals\` is "${String(equals)}", which is no number.`,
    );
  const value = valueOf(expression);
  const action = `End with one line that holds only an expression equal to ${toText(target)}, like "Answer: (1 + 2) * 3 = 9".`;
  if (value === undefined)
    return [issue(`"${shown}" on the last line is no expression that can be computed.`, action)];
  if (isWithin(value, target, tolerance)) return [];
  return [issue(`"${shown}" is ${toText(value)}, not ${toText(target)}.`, action)];
}

function wholeNumbers(uses: readonly number[] | string): readonly string[] {
  return typeof uses === "string" ? (uses.match(/\d+/g) ?? []) : uses.map(String);
}

function isSameBag(left: readonly string[], right: readonly string[]): boolean {
  return left.toSorted().join(" ") === right.toSorted().join(" ");
}

function valueOf(expression: string): Fraction | undefined {
  return computeTokens(tokenizeArithmetic(expression))?.value;
}

function issue(detail: string, requiredAction: string): Issue {
  return { kind: "missed-constraint", detail, requiredAction, needs: "rewrite" };
}
