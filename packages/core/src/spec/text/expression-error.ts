/** Thrown when an expression cannot be evaluated: a missing key, null where a value is needed, a division by zero. */
export class ExpressionError extends Error {
  override readonly name: string = "ExpressionError";
  /** Why, without the expression itself. */
  readonly reason: string;

  constructor(message: string, options: { reason?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = options.reason ?? message;
  }
}
