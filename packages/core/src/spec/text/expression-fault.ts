import type { ASTNode } from "@marcbachmann/cel-js";
import type { DiagnosticCode } from "./diagnostic-codes.ts";

/** Why an expression does not compile; `offset` counts from 0 in its source. */
export interface ExpressionFaultDetails {
  readonly offset?: number;
  readonly suggestion?: string;
  /** A wrong type unless said otherwise. */
  readonly code?: DiagnosticCode;
}

/** Ends the check of an expression; caught by `compileExpression` alone. */
export class ExpressionFault extends Error {
  override readonly name: string = "ExpressionFault";
  readonly details: ExpressionFaultDetails;

  constructor(message: string, details: ExpressionFaultDetails) {
    super(message);
    this.details = details;
  }
}

/** Makes a fault at a node of the expression. */
export function faultAt(
  node: ASTNode,
  message: string,
  suggestion?: string,
  code?: DiagnosticCode,
): ExpressionFault {
  return new ExpressionFault(message, {
    offset: node.start,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(code === undefined ? {} : { code }),
  });
}
