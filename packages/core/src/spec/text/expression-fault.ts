import type { ASTNode } from "@marcbachmann/cel-js";

/** Why an expression does not compile; `offset` counts from 0 in its source. */
export interface ExpressionFaultDetails {
  readonly offset?: number;
  readonly suggestion?: string;
  /** Set when the expression is well-formed but a comparison in it can never be true. */
  readonly neverTrue?: boolean;
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
  neverTrue?: boolean,
): ExpressionFault {
  return new ExpressionFault(message, {
    offset: node.start,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(neverTrue === undefined ? {} : { neverTrue }),
  });
}
