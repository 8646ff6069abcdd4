import { type Computed, computeTokens } from "../shared/arithmetic-expression.ts";
import { type ArithmeticToken, tokenizeArithmetic } from "../shared/arithmetic-tokens.ts";
import {
  followsCleanly,
  hasLabel,
  isLineLeftAlone,
  isLoneLeft,
  isSupposed,
  precedesCleanly,
} from "./surroundings.ts";

/** An equation as it stands in a text; `lefts` and `rights` hold every way to read a side, the plain one first. */
export interface Equation {
  readonly text: string;
  readonly left: string;
  readonly lefts: readonly [Computed, ...Computed[]];
  readonly rights: readonly [Computed, ...Computed[]];
  /** True where dots follow the right side: its digits go on. */
  readonly goesOn: boolean;
}

const longestLine = 5_000;

/** Finds the equations of a text that are clean arithmetic; whatever can be anything else is left out. */
export function findEquations(text: string): readonly Equation[] {
  return text
    .split("\n")
    .flatMap((line) =>
      line.length > longestLine || isLineLeftAlone(line) ? [] : equationsOfLine(line),
    );
}

function equationsOfLine(line: string): readonly Equation[] {
  const tokens = withLetterTimes(tokenizeArithmetic(line));
  return tokens.flatMap((token, index) => {
    const equation = token.kind === "equals" ? equationAt(line, tokens, index) : undefined;
    return equation === undefined ? [] : [equation];
  });
}

function equationAt(
  line: string,
  tokens: readonly ArithmeticToken[],
  equals: number,
): Equation | undefined {
  const left = leftSide(tokens, equals);
  const right = rightSide(tokens, equals);
  if (left === undefined || right === undefined || isSupposed(line.slice(0, left.start)))
    return undefined;
  const lefts = computeAll(left.readings);
  const rights = computeAll(right.readings);
  if (lefts === undefined || rights === undefined) return undefined;
  if (!lefts[0].hasOperator && (!rights[0].hasOperator || !left.mayBeLone)) return undefined;
  return {
    text: line.slice(left.start, right.end),
    left: line.slice(left.start, tokens[equals]?.start).trim(),
    lefts,
    rights,
    goesOn: right.goesOn,
  };
}

function computeAll(
  readings: readonly (readonly ArithmeticToken[])[],
): readonly [Computed, ...Computed[]] | undefined {
  const computed = readings.map(computeTokens).filter((reading) => reading !== undefined);
  const [first, ...rest] = computed;
  return first === undefined || computed.length < readings.length ? undefined : [first, ...rest];
}

/** Reads an x between two numbers as a multiplication sign. */
function withLetterTimes(tokens: readonly ArithmeticToken[]): readonly ArithmeticToken[] {
  return tokens.map((token, index) => {
    const isBetween = tokens[index - 1]?.kind === "number" && tokens[index + 1]?.kind === "number";
    return isBetween && /^[xX]$/.test(token.text)
      ? { ...token, kind: "operator", text: "*" }
      : token;
  });
}

interface LeftSide {
  readonly start: number;
  readonly readings: readonly (readonly ArithmeticToken[])[];
  readonly mayBeLone: boolean;
}

function leftSide(tokens: readonly ArithmeticToken[], equals: number): LeftSide | undefined {
  let start = equals;
  let depth = 0;
  for (; start > 0; start -= 1) {
    const token = tokens[start - 1];
    if (token === undefined || token.kind === "other" || token.kind === "equals") break;
    if (token.kind === "close") depth += 1;
    if (token.kind === "open" && depth === 0) break;
    if (token.kind === "open") depth -= 1;
  }
  // A list marker like "2)" opens the line.
  const isMarked = start === 0 && depth === 1 && tokens[1]?.kind === "close";
  if (isMarked) start = 2;
  const before = isMarked ? undefined : tokens[start - 1];
  const side = tokens.slice(start, equals);
  if (side[0] === undefined || !precedesCleanly(before, side[0])) return undefined;
  return {
    start: side[0].start,
    readings: readingsOf(side, before),
    mayBeLone: isLoneLeft(before),
  };
}

/** A leading dash can be a bullet, and a number before a dash can belong to a label: "Step 2 - 5 + 3 = 8". */
function readingsOf(
  side: readonly ArithmeticToken[],
  before: ArithmeticToken | undefined,
): readonly (readonly ArithmeticToken[])[] {
  const [first, second] = side;
  if (before === undefined && first?.kind === "operator") {
    return first.text === "-" ? [side, side.slice(1)] : [side.slice(1)];
  }
  return second?.text === "-" && hasLabel(before) && side.length > 3
    ? [side, side.slice(2)]
    : [side];
}

interface RightSide {
  readonly end: number;
  readonly readings: readonly (readonly ArithmeticToken[])[];
  readonly goesOn: boolean;
}

function rightSide(tokens: readonly ArithmeticToken[], equals: number): RightSide | undefined {
  let end = equals + 1;
  let depth = 0;
  for (; end < tokens.length; end += 1) {
    const token = tokens[end];
    if (token === undefined || token.kind === "other" || token.kind === "equals") break;
    if (token.kind === "open") depth += 1;
    if (token.kind === "close" && depth === 0) break;
    if (token.kind === "close") depth -= 1;
  }
  const after = tokens[end];
  const final = tokens[end - 1];
  const isRemark = after?.kind === "other" && /^\p{L}{2,}$|^\p{Script=Han}/u.test(after.text);
  const isDropped =
    isRemark && (final?.kind === "open" || (final?.text === "-" && final.end < after.start));
  const side = tokens.slice(equals + 1, isDropped ? end - 1 : end);
  const last = side.at(-1);
  const follows = followsCleanly(isDropped ? undefined : after, last, tokens[end + 1]);
  if (last === undefined || follows === "no") return undefined;
  // People write on where they stand: in "2 + 3 = 5 * 4 = 20" the first right side is 5.
  const runsOn = after?.kind === "equals" && side[0]?.kind === "number" && side.length > 1;
  return {
    end: last.end,
    readings: runsOn ? [side, side.slice(0, 1)] : [side],
    goesOn: follows === "goes-on",
  };
}
