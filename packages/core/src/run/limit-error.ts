import type { ErrorCode } from "../errors/error-codes.ts";
import { LimitError } from "../errors/loopwright-error.ts";

/** Whose limits they are: the run's (or those of an agent inside it), a stage's, or a tool's. */
export type LimitOwner = "run" | "stage" | { readonly tool: string };

/** A limit that was reached, and whose it is. */
interface Reached {
  readonly limit: string;
  readonly used: number;
  readonly max: number;
  readonly owner: LimitOwner;
}

/**
 * `details.of` says whose limit it is: a stage may go on after its own (`onError: continue`), never after the run's. For
 * the stages of an agent that is a tool, the limits of that tool are like those of their run.
 */
export function limitError(code: ErrorCode, reached: Reached): LimitError {
  const { limit, used, max, owner } = reached;
  const of = owner === "stage" ? "stage" : "run";
  const tool = typeof owner === "string" ? {} : { tool: owner.tool };
  return new LimitError(code, limitMessage(reached), {
    details: { limit, used, max, of, ...tool },
  });
}

function limitMessage({ limit, owner, used, max }: Reached): string {
  const shown = limit === "usd" ? `$${used.toFixed(4)} of $${max}` : `${used} of ${max}`;
  // Tool calls are not held back: a conclusion makes none.
  const kept =
    owner === "stage" || limit === "toolCalls" ? "" : "; what is left is kept for a conclusion";
  return `${whose(owner, limit)} is reached (${shown} used${kept}): raise it, or lower what the stages may use (\`loopwright explain\` shows the worst case)`;
}

function whose(owner: LimitOwner, limit: string): string {
  if (owner === "run") return `limits.${limit}`;
  return owner === "stage" ? `the stage's limits.${limit}` : `tools.${owner.tool}.limits.${limit}`;
}
