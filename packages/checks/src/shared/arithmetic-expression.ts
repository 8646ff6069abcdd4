import type { ArithmeticToken } from "./arithmetic-tokens.ts";
import { type Fraction, fraction, fromDecimal, minus, over, plus, times } from "./fraction.ts";

/** An expression that was read and computed exactly. */
export interface Computed {
  readonly value: Fraction;
  /** True where anything is computed, false for a lone number. */
  readonly hasOperator: boolean;
  /** True where a decimal or a division may stand for a rounded value. */
  readonly mayBeRounded: boolean;
  readonly isPercent: boolean;
  /** How many decimals a lone number shows. */
  readonly decimals: number;
}

const maxTokens = 200;
const maxDepth = 50;
const maxExponent = 100n;
const maxDigits = 500;

/** Computes tokens that form one complete expression; undefined where they don't, or can be read in two ways. */
export function computeTokens(tokens: readonly ArithmeticToken[]): Computed | undefined {
  if (tokens.length === 0 || tokens.length > maxTokens) return undefined;
  const reader: Reader = { tokens, index: 0, depth: 0 };
  const result = sum(reader);
  return reader.index === tokens.length ? result : undefined;
}

interface Reader {
  readonly tokens: readonly ArithmeticToken[];
  index: number;
  depth: number;
}

function takeOperator(reader: Reader, signs: string): string | undefined {
  const token = reader.tokens[reader.index];
  if (token?.kind !== "operator" || !signs.includes(token.text)) return undefined;
  reader.index += 1;
  return token.text;
}

function sum(reader: Reader): Computed | undefined {
  let left = product(reader);
  for (
    let sign = takeOperator(reader, "+-");
    sign !== undefined;
    sign = takeOperator(reader, "+-")
  ) {
    const right = product(reader);
    if (left === undefined || right === undefined) return undefined;
    // "100 + 20%" is 100.2 to some and 120 to others.
    if (left.isPercent !== right.isPercent) return undefined;
    const value = plus(left.value, sign === "+" ? right.value : minus(right.value));
    left = combine(left, right, value, { isPercent: left.isPercent });
  }
  return left;
}

function product(reader: Reader): Computed | undefined {
  let left = signed(reader);
  for (
    let sign = takeOperator(reader, "*/");
    sign !== undefined;
    sign = takeOperator(reader, "*/")
  ) {
    const right = signed(reader);
    if (left === undefined || right === undefined) return undefined;
    const value = sign === "*" ? times(left.value, right.value) : over(left.value, right.value);
    left = combine(left, right, value, { mayBeRounded: sign === "/" && value?.bottom !== 1n });
  }
  return left;
}

function signed(reader: Reader): Computed | undefined {
  const sign = takeOperator(reader, "+-");
  if (sign === undefined) return power(reader);
  const next = reader.tokens[reader.index];
  const operand = next?.kind === "operator" ? undefined : power(reader);
  return operand === undefined || sign === "+"
    ? operand
    : { ...operand, value: minus(operand.value) };
}

function power(reader: Reader): Computed | undefined {
  const base = percent(reader);
  if (base === undefined || takeOperator(reader, "^") === undefined) return base;
  const exponent = signed(reader);
  return exponent === undefined
    ? undefined
    : combine(base, exponent, raise(base.value, exponent.value));
}

function raise(base: Fraction, exponent: Fraction): Fraction | undefined {
  const size = exponent.top < 0n ? -exponent.top : exponent.top;
  if (exponent.bottom !== 1n || size > maxExponent || digitsOf(base) * Number(size) > maxDigits)
    return undefined;
  const raised = fraction(base.top ** size, base.bottom ** size);
  return exponent.top < 0n ? over(fraction(1n), raised) : raised;
}

function percent(reader: Reader): Computed | undefined {
  const operand = atom(reader);
  if (reader.tokens[reader.index]?.kind !== "percent") return operand;
  reader.index += 1;
  if (operand === undefined || operand.hasOperator || operand.isPercent) return undefined;
  return { ...operand, value: times(operand.value, fraction(1n, 100n)), isPercent: true };
}

function atom(reader: Reader): Computed | undefined {
  const token = reader.tokens[reader.index];
  reader.index += 1;
  if (token?.kind === "number") {
    const decimals = /\.(\d+)$/.exec(token.text)?.[1]?.length ?? 0;
    return {
      value: fromDecimal(token.text),
      hasOperator: false,
      mayBeRounded: /[.eE]/.test(token.text),
      isPercent: false,
      decimals,
    };
  }
  if (token?.kind !== "open" || reader.depth >= maxDepth) return undefined;
  reader.depth += 1;
  const inner = sum(reader);
  reader.depth -= 1;
  const isClosed = reader.tokens[reader.index]?.kind === "close";
  reader.index += 1;
  return isClosed ? inner : undefined;
}

function combine(
  left: Computed,
  right: Computed,
  value: Fraction | undefined,
  extra: Partial<Computed> = {},
): Computed | undefined {
  if (value === undefined || digitsOf(value) > maxDigits) return undefined;
  return {
    value,
    hasOperator: true,
    isPercent: extra.isPercent ?? false,
    mayBeRounded: left.mayBeRounded || right.mayBeRounded || (extra.mayBeRounded ?? false),
    decimals: 0,
  };
}

function digitsOf(value: Fraction): number {
  return Math.max(value.top.toString().length, value.bottom.toString().length);
}
