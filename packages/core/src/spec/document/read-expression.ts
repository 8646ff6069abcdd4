import type { Diagnostics } from "../text/diagnostic.ts";
import { compileExpression, type Expression, type ExpressionResult } from "../text/expression.ts";
import type { ObjectShape } from "../text/shape.ts";
import { positionOf, type SpecNode } from "../text/spec-node.ts";
import { isUnset, labelOf, shownValue } from "./node-text.ts";
import { atOffset } from "./offset-position.ts";
import { refuseSecret } from "./read-secret.ts";

/** Reads an expression and checks it against a shape; undefined when an error was reported. */
export function readExpression(
  node: SpecNode,
  shape: ObjectShape,
  result: ExpressionResult,
  diagnostics: Diagnostics,
): Expression | undefined {
  if (refuseSecret(node, diagnostics)) return undefined;
  if (isUnset(node)) return undefined;
  if (node.kind !== "scalar" || node.isNull === true) {
    const message = `\`${labelOf(node)}\` is an expression, not ${shownValue(node)}`;
    diagnostics.error(
      "LW-EXPR-TYPE",
      node,
      message,
      `write the expression in quotes: \`${labelOf(node)}: '...'\``,
    );
    return undefined;
  }
  const source = String(node.value);
  const compiled = compileExpression(source, shape, result);
  if (compiled.ok) {
    warnIfConstant(node, source, result, diagnostics);
    return { ...compiled.expression, at: positionOf(node) };
  }
  diagnostics.error(
    compiled.code,
    compiled.offset === undefined ? node : atOffset(node, compiled.offset),
    compiled.message,
    compiled.suggestion,
  );
  return undefined;
}

function warnIfConstant(
  node: SpecNode,
  source: string,
  result: ExpressionResult,
  diagnostics: Diagnostics,
): void {
  if (result !== "bool") return;
  if (source.trim() === "true")
    diagnostics.warn(
      "LW-EXPR-ALWAYS-TRUE",
      node,
      `\`${labelOf(node)}\` is always true`,
      `delete \`${labelOf(node)}\`, or write a condition that depends on the run`,
    );
}
