import type { ASTNode } from "@marcbachmann/cel-js";
import { faultAt } from "./expression-fault.ts";
import { describeShape, type Shape } from "./shape.ts";
import { didYouMean } from "./suggest.ts";

const neverTrue = "LW-EXPR-NEVER-TRUE";

/** The two sides of an operator with their shapes. */
export interface Operands {
  readonly left: ASTNode;
  readonly right: ASTNode;
  readonly a: Shape;
  readonly b: Shape;
}

/** The shape of the literal null. */
export const nullShape: Shape = { kind: "enum", values: [], nullable: true };

/** Whether a shape is that of the literal null. */
export function isNull(shape: Shape): boolean {
  return shape.kind === "enum" && shape.values.length === 0;
}

/** Returns the text of a literal text, or undefined for any other node. */
export function literalText(node: ASTNode): string | undefined {
  return node.op === "value" && typeof node.args === "string" ? node.args : undefined;
}

/** Throws a fault for a division by a zero that is written out: it fails in every run. */
export function refuseZero(node: ASTNode, op: string, right: ASTNode): void {
  const isNumber =
    right.op === "value" && (typeof right.args === "number" || typeof right.args === "bigint");
  if ((op !== "/" && op !== "%") || !isNumber || Number(right.args) !== 0) return;
  throw faultAt(node, `\`${op} 0\` is a division by zero`, "divide by another number");
}

/** Throws a fault unless a shape is boolean. */
export function requireBoolean(node: ASTNode, shape: Shape, place: string): void {
  if (shape.kind === "boolean" || shape.kind === "any") return;
  throw faultAt(
    node,
    `${place} must be true or false, but is ${isNull(shape) ? "null" : describeShape(shape)}`,
    comparisonHint(node, shape),
  );
}

/** Returns the shape that covers both. */
export function unify(a: Shape | undefined, b: Shape): Shape {
  if (a === undefined) return b;
  if (isNull(a)) return { ...b, nullable: true };
  if (isNull(b)) return { ...a, nullable: true };
  const isNullable = a.nullable === true || b.nullable === true;
  const shape = unifyForms(a, b);
  return isNullable ? { ...shape, nullable: true } : shape;
}

/** Checks `==` and `!=`: both sides must be of one kind, and an enumeration must be able to have the value. */
export function checkEquality(node: ASTNode, op: string, { left, right, a, b }: Operands): void {
  const never = op === "==" ? "this is never true" : "this is always true";
  if (isNull(a) || isNull(b)) {
    const other = isNull(a) ? b : a;
    if (op === "==" && other.nullable !== true && other.kind !== "any")
      throw faultAt(
        node,
        `\`${sourceOf(isNull(a) ? right : left)}\` is never null; ${never}`,
        "take the comparison away",
        neverTrue,
      );
    return;
  }
  checkEnumeration(left, a, right, b, never, op);
  checkEnumeration(right, b, left, a, never, op);
  if (!isComparable(a, b)) {
    throw faultAt(
      node,
      `${nameOf(left, a)} is compared with ${nameOf(right, b)}; ${never}`,
      quoteHint(left, right) ?? conversionHint(left, a, right, b),
      op === "==" ? neverTrue : undefined,
    );
  }
}

/** Checks `in`: the left side must be able to be an item of the list, or a key of the map. */
export function checkMembership(node: ASTNode, { left, right, a, b }: Operands): void {
  if (b.kind === "any") return;
  if (b.kind === "list") {
    if (right.op === "list") {
      for (const item of right.args)
        checkEnumeration(left, a, item, { kind: "text" }, "it is never equal to it", "==");
    }
    if (!isComparable(a, b.of) && !isNull(b.of))
      throw faultAt(
        node,
        `${nameOf(left, a)} can never be in this list; this is never true`,
        `look in a list of what ${sourceOf(left)} is: ${describeShape(a)}`,
        neverTrue,
      );
    return;
  }
  if (b.kind === "map" || b.kind === "object") {
    if (kindOf(a) !== "text" && a.kind !== "any")
      throw faultAt(
        left,
        "only a text can be a key of a map",
        "write the key in single quotes, or string(…) around it",
      );
    return;
  }
  const isText = kindOf(b) === "text";
  throw faultAt(
    right,
    "the right side of `in` must be a list or a map",
    isText
      ? `a part of a text is found by ${sourceOf(right)}.contains(${sourceOf(left)})`
      : `write ${sourceOf(left)} == ${sourceOf(right)}, or a list in brackets`,
  );
}

/** Checks `<`, `<=`, `>`, `>=`: two numbers or two texts. */
export function checkOrder(node: ASTNode, op: string, { left, right, a, b }: Operands): void {
  for (const shape of [a, b]) {
    const kind = kindOf(shape);
    if (isNull(shape) || (kind !== "number" && kind !== "text" && kind !== "any"))
      throw faultAt(
        node,
        `\`${op}\` compares two numbers or two texts, not ${isNull(shape) ? "null" : describeShape(shape)}`,
        kind === "list" || kind === "map"
          ? "compare its size(…)"
          : "write ==, or compare something that has an order",
      );
  }
  if (!isComparable(a, b))
    throw faultAt(
      node,
      `${nameOf(left, a)} is compared with ${nameOf(right, b)} by \`${op}\``,
      quoteHint(left, right) ?? conversionHint(left, a, right, b),
    );
}

/** Checks arithmetic and returns the shape of its result; `+` also joins texts and lists. */
export function checkArithmetic(node: ASTNode, op: string, a: Shape, b: Shape): Shape {
  const [left, right] = [kindOf(a), kindOf(b)];
  if (op === "+") {
    if (left === "any" || right === "any")
      return left === right ? { kind: "any" } : formOf(left === "any" ? b : a);
    if (left === "text" && right === "text") return { kind: "text" };
    if (left === "list" && right === "list") return { ...unify(a, b) };
  }
  const isNumeric = (kind: string): boolean => kind === "number" || kind === "any";
  if (isNumeric(left) && isNumeric(right)) return { kind: "number" };
  const isTextAndNumber =
    op === "+" && [left, right].includes("text") && [left, right].includes("number");
  throw faultAt(
    node,
    `\`${op}\` does not work between ${describeShape(a)} and ${describeShape(b)}`,
    isTextAndNumber
      ? "turn the number into text with string(…)"
      : op === "+"
        ? "add two numbers, two texts or two lists"
        : "write a number on both sides",
  );
}

function formOf(shape: Shape): Shape {
  return shape.kind === "enum" ? { kind: "text" } : shape;
}

function unifyForms(a: Shape, b: Shape): Shape {
  if (a.kind === "enum" && b.kind === "enum")
    return { kind: "enum", values: [...new Set([...a.values, ...b.values])] };
  if (kindOf(a) !== kindOf(b)) return { kind: "any" };
  if (a.kind === "list" && b.kind === "list") return { kind: "list", of: unify(a.of, b.of) };
  if (kindOf(a) === "map" || a.kind === "any") return { kind: "any" };
  return formOf(a);
}

function kindOf(shape: Shape): string {
  if (shape.kind === "enum") return "text";
  return shape.kind === "object" ? "map" : shape.kind;
}

function isComparable(a: Shape, b: Shape): boolean {
  if (a.kind === "any" || b.kind === "any" || isNull(a) || isNull(b)) return true;
  if (a.kind === "enum" && b.kind === "enum")
    return a.values.some((value) => b.values.includes(value));
  if (a.kind === "list" && b.kind === "list") return isComparable(a.of, b.of);
  return kindOf(a) === kindOf(b);
}

function checkEnumeration(
  node: ASTNode,
  shape: Shape,
  other: ASTNode,
  otherShape: Shape,
  never: string,
  op: string,
): void {
  const value = literalText(other);
  if (
    shape.kind !== "enum" ||
    isNull(shape) ||
    value === undefined ||
    otherShape.kind !== "text" ||
    shape.values.includes(value)
  )
    return;
  const near = didYouMean(value, shape.values)?.replaceAll("`", "'");
  throw faultAt(
    other,
    `\`${sourceOf(node)}\` is one of ${shape.values.join(", ")}, never '${value}'; ${never}`,
    near ?? `write one of ${shape.values.map((known) => `'${known}'`).join(", ")}`,
    op === "==" ? neverTrue : undefined,
  );
}

/** How two sides of different types can be compared. */
function conversionHint(left: ASTNode, a: Shape, right: ASTNode, b: Shape): string {
  const [kindA, kindB] = [kindOf(a), kindOf(b)];
  if (kindA === "text" && kindB === "number") return `write string(${sourceOf(right)})`;
  if (kindA === "number" && kindB === "text") return `write string(${sourceOf(left)})`;
  return `compare with ${kindA === "boolean" ? "true or false" : describeShape(a)}`;
}

function nameOf(node: ASTNode, shape: Shape): string {
  return `\`${sourceOf(node)}\` (${describeShape(shape)})`;
}

function sourceOf(node: ASTNode): string {
  const text = node.input.slice(node.start, node.end);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function quoteHint(left: ASTNode, right: ASTNode): string | undefined {
  for (const node of [left, right]) {
    const text = literalText(node);
    if (text !== undefined && text.trim() !== "" && Number.isFinite(Number(text)))
      return `a number is written without quotes: ${Number(text)}`;
    if (text === "true" || text === "false") return `a boolean is written without quotes: ${text}`;
    if (node.op === "value" && typeof node.args === "bigint")
      return `a text is written in single quotes: '${node.args}'`;
  }
  return undefined;
}

function comparisonHint(node: ASTNode, shape: Shape): string | undefined {
  const source = sourceOf(node);
  if (shape.kind === "text") return `compare it, like ${source} != ''`;
  if (shape.kind === "number") return `compare it, like ${source} > 0`;
  if (shape.kind === "list") return `compare its size, like size(${source}) > 0`;
  return shape.kind === "enum" && shape.values[0] !== undefined
    ? `compare it, like ${source} == '${shape.values[0]}'`
    : undefined;
}
