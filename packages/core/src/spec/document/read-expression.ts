import type { DiagnosticCode } from "../text/diagnostic-codes.ts";
import type { Diagnostics } from "../text/diagnostic.ts";
import { compileExpression, type Expression } from "../text/expression.ts";
import type { ObjectShape } from "../text/shape.ts";
import type { SpecNode } from "../text/spec-node.ts";
import { labelOf, shownValue } from "./node-text.ts";
import { atOffset } from "./offset-position.ts";
import { refuseSecret } from "./read-secret.ts";

/** Reads an expression and checks it against a shape; undefined when an error was reported. */
export function readExpression(
  node: SpecNode,
  shape: ObjectShape,
  result: "bool" | "any",
  diagnostics: Diagnostics,
): Expression | undefined {
  if (refuseSecret(node, diagnostics)) return undefined;
  if (node.kind !== "scalar" || node.isNull === true) {
    const message = `\`${labelOf(node)}\` is an expression, not ${shownValue(node)}`;
    diagnostics.error("LW-EXPR-TYPE", node, message, "quote the expression");
    return undefined;
  }
  const source = String(node.value);
  const compiled = compileExpression(source, shape, result);
  if (compiled.ok) {
    warnIfConstant(node, source, result, diagnostics);
    return compiled.expression;
  }
  const code = compiled.neverTrue === true ? "LW-EXPR-NEVER-TRUE" : codeOf(compiled.message);
  diagnostics.error(
    code,
    compiled.offset === undefined ? node : atOffset(node, compiled.offset),
    compiled.message,
    compiled.suggestion,
  );
  return undefined;
}

function warnIfConstant(
  node: SpecNode,
  source: string,
  result: "bool" | "any",
  diagnostics: Diagnostics,
): void {
  if (result !== "bool") return;
  if (source.trim() === "true")
    diagnostics.warn("LW-EXPR-ALWAYS-TRUE", node, `\`${labelOf(node)}\` is always true`);
}

function codeOf(message: string): DiagnosticCode {
  if (/has no `|nothing here is called|unknown/.test(message)) return "LW-EXPR-UNKNOWN";
  const isSyntax =
    /malformed|is empty|cannot be read|too large|characters; at most|no operator|means nothing|compares nothing|not available/;
  return isSyntax.test(message) ? "LW-EXPR-SYNTAX" : "LW-EXPR-TYPE";
}
