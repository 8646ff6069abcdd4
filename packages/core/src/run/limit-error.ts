import type { ErrorCode } from "../errors/error-codes.ts";
import { LimitError } from "../errors/loopwright-error.ts";

/** A limit that was reached, and whose it is. */
interface Reached {
  readonly limit: string;
  readonly used: number;
  readonly max: number;
  readonly of: "run" | "stage";
}

/** `details.of` says whose limit it is: a stage may go on after its own (`onError: continue`), never after the run's. */
export function limitError(code: ErrorCode, reached: Reached): LimitError {
  return new LimitError(code, limitMessage(reached), { details: { ...reached } });
}

function limitMessage({ limit, of, used, max }: Reached): string {
  const shown = limit === "usd" ? `$${used.toFixed(4)} of $${max}` : `${used} of ${max}`;
  const whose = of === "run" ? "limits" : "the stage's limits";
  // Tool calls are not held back: a conclusion makes none.
  const kept =
    of === "run" && limit !== "toolCalls" ? "; what is left is kept for a conclusion" : "";
  return `${whose}.${limit} is reached (${shown} used${kept}): raise it, or lower what the stages may use (\`loopwright explain\` shows the worst case)`;
}
