import { messageOf } from "@loopwright/core/plugin";

const MAX_DEPTH = 5;

/** The first error code along the causes. */
export function codeOf(thrown: unknown): string | undefined {
  let error = thrown;
  for (let depth = 0; depth < MAX_DEPTH && typeof error === "object" && error !== null; depth++) {
    const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
    if (typeof code === "string") return code;
    error = cause ?? (Array.isArray(errors) ? (errors as readonly unknown[])[0] : undefined);
  }
  return undefined;
}

/** The message of the innermost cause. */
export function innermostOf(thrown: unknown): string {
  let error = thrown;
  for (
    let depth = 0;
    depth < MAX_DEPTH && error instanceof Error && error.cause instanceof Error;
    depth++
  ) {
    error = error.cause;
  }
  return messageOf(error);
}
