import { CommandError } from "./command-error.ts";
import { EXIT_CODES, type ExitCode } from "./exit-codes.ts";
import { neutralize } from "./neutralize.ts";

/** Tells on standard error what went wrong, without a stack; with `--json` also on standard output. Returns the exit code. */
export function tellFault(fault: unknown, argv: readonly string[]): ExitCode {
  const { message, code, exitCode, details } = readFault(fault);
  process.stderr.write(`loopwright: ${neutralize(message)}\n`);
  if (isDebugging() && fault instanceof Error) process.stderr.write(`${fault.stack ?? ""}\n`);
  const isUsage = exitCode === EXIT_CODES.usage;
  if (argv.includes("--json") && !isUsage) {
    process.stdout.write(`${JSON.stringify({ error: { code, message, ...details } })}\n`);
  }
  return exitCode;
}

interface ReadFault {
  readonly message: string;
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly details: Readonly<Record<string, unknown>>;
}

function readFault(fault: unknown): ReadFault {
  if (fault instanceof CommandError) return fault;
  const { code, family } = (fault ?? {}) as { readonly code?: unknown; readonly family?: unknown };
  const message = fault instanceof Error ? fault.message : String(fault);
  if (typeof family === "string") {
    const isTheirs = family === "SpecError" || family === "PluginError";
    return {
      message,
      code: String(code),
      exitCode: isTheirs ? EXIT_CODES.invalid : EXIT_CODES.failed,
      details: {},
    };
  }
  const hint = isDebugging() ? "" : " (LOOPWRIGHT_DEBUG=1 shows where)";
  return {
    message: `${message}${hint}`,
    code: typeof code === "string" ? code : "unexpected",
    exitCode: EXIT_CODES.failed,
    details: {},
  };
}

function isDebugging(): boolean {
  const value = process.env["LOOPWRIGHT_DEBUG"];
  return value !== undefined && value !== "" && value !== "0";
}
