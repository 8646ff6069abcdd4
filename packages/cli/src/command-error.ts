import { EXIT_CODES, type ExitCode } from "./exit-codes.ts";

/** A mistake that whoever typed the command can mend; its message says what, where and how. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  /** A stable name of the mistake, for `--json`. */
  readonly code: string;
  /** Plain JSON for `--json`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    options: {
      readonly exitCode?: ExitCode;
      readonly code?: string;
      readonly details?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message);
    this.name = "CommandError";
    this.exitCode = options.exitCode ?? EXIT_CODES.invalid;
    this.code = options.code ?? "input-invalid";
    this.details = options.details ?? {};
  }
}

/** A mistake in the command line itself. */
export function usageError(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT_CODES.usage, code: "usage" });
}
