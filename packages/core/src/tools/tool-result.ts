import type { Json } from "../contracts/json.ts";

/** What one call came to, before it is recorded as an observation. */
export interface ToolResult {
  readonly input: Json;
  readonly content: string;
  readonly ok: boolean;
  readonly degraded: boolean;
  readonly cached: boolean;
  /** Why it failed, for the log. */
  readonly fault?: { readonly code: string; readonly message: string };
}

/** A result that went well. */
export function succeeded(
  input: Json,
  content: string,
  extra: { degraded?: boolean; cached?: boolean } = {},
): ToolResult {
  return {
    input,
    content,
    ok: true,
    degraded: extra.degraded ?? false,
    cached: extra.cached ?? false,
  };
}

/** A result that tells the model what went wrong and what it can do. */
export function refused(input: Json, code: string, message: string): ToolResult {
  return {
    input,
    content: message,
    ok: false,
    degraded: false,
    cached: false,
    fault: { code, message },
  };
}

/** A tool's output as text for an observation: text as it is, data as compact JSON, cut at a size. */
export function formatOutput(output: unknown, maxChars: number): string {
  const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "");
  const clean = text.trim() === "" ? "no result" : text;
  if (clean.length <= maxChars) return clean;
  // A cut inside a pair of surrogates would leave text that no endpoint can read.
  const kept = clean.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}\n[cut: ${maxChars} of ${clean.length} characters shown]`;
}
