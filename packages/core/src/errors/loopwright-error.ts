import type { ErrorCode } from "./error-codes.ts";

/** Who must act: the author of a spec, of a plugin, the model's endpoint, a tool, nobody (a limit, an abort), or this project. */
export type ErrorFamily =
  | "SpecError"
  | "PluginError"
  | "ProviderError"
  | "ToolError"
  | "LimitError"
  | "AbortError"
  | "InternalError";

/** What an error is made of, beside its message. */
export interface ErrorOptions {
  /** Plain JSON that a program can read. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** True when the same call may succeed later. */
  readonly retryable?: boolean;
}

const MARK: symbol = Symbol.for("loopwright:error");

/**
 * The one base of all errors; `message` says what happened, where, and what to do.
 *
 * `instanceof` goes by the family, so that an error made by another copy of this package is known too: a bundled
 * command and a plugin's own dependency are two copies.
 */
export class LoopwrightError extends Error {
  static override [Symbol.hasInstance](this: unknown, value: unknown): boolean {
    const own = this as { readonly familyName?: ErrorFamily };
    if (this === LoopwrightError) return isLoopwrightError(value);
    if (Object.hasOwn(own, "familyName")) {
      return isLoopwrightError(value) && value.family === own.familyName;
    }
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }

  readonly family: ErrorFamily;
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryable: boolean;

  constructor(family: ErrorFamily, code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = family;
    this.family = family;
    this.code = code;
    this.details = options.details ?? {};
    this.retryable = options.retryable ?? false;
    Object.defineProperty(this, MARK, { value: true });
  }
}

/** A spec, an input or a setting must be mended by its author. */
export class SpecError extends LoopwrightError {
  static readonly familyName: ErrorFamily = "SpecError";

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super("SpecError", code, message, options);
  }
}

/** A plugin package must be mended or installed. */
export class PluginError extends LoopwrightError {
  static readonly familyName: ErrorFamily = "PluginError";

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super("PluginError", code, message, options);
  }
}

/** A model endpoint did not give a usable reply. */
export class ProviderError extends LoopwrightError {
  static readonly familyName: ErrorFamily = "ProviderError";

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super("ProviderError", code, message, options);
  }
}

/** A tool, a check or a memory failed. */
export class ToolError extends LoopwrightError {
  static readonly familyName: ErrorFamily = "ToolError";

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super("ToolError", code, message, options);
  }
}

/** A limit is reached; the run ends `limited`. */
export class LimitError extends LoopwrightError {
  static readonly familyName: ErrorFamily = "LimitError";

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super("LimitError", code, message, options);
  }
}

/** The run was aborted. */
export class AbortError extends LoopwrightError {
  static readonly familyName: ErrorFamily = "AbortError";

  constructor(message: string, options?: ErrorOptions) {
    super("AbortError", "aborted", message, options);
  }
}

/** A contract inside the product is broken. */
export class InternalError extends LoopwrightError {
  static readonly familyName: ErrorFamily = "InternalError";

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super("InternalError", code, message, options);
  }
}

/** Tells whether a value is an error of this project, also one made by another copy of it. */
export function isLoopwrightError(value: unknown): value is LoopwrightError {
  return typeof value === "object" && value !== null && MARK in value;
}

/** The message of anything thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  if (typeof thrown === "string") return thrown;
  return "an unknown fault";
}
