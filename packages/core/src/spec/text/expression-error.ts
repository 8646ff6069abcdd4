/** Thrown when an expression cannot be evaluated: a missing key, null where a value is needed, a division by zero. */
export class ExpressionError extends Error {
  override readonly name: string = "ExpressionError";
}
