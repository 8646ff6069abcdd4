import type { ToolEntry } from "../program/program.ts";
import type { Json, JsonObject } from "../contracts/json.ts";

/** What one call came to, before it is recorded as an observation. */
export interface ToolResult {
  readonly input: Json;
  readonly content: string;
  readonly ok: boolean;
  readonly degraded: boolean;
  readonly cached: boolean;
  /** Why it failed, for the log. */
  readonly fault?: { readonly code: string; readonly message: string };
  /** The tool that is called instead of the one that failed. */
  readonly standIn?: StandIn;
  /** What cut the call short; it is thrown once every result is recorded. */
  readonly ender?: { readonly reason: unknown };
}

/** A tool that stands in for a failed one, and what it is called with. */
export interface StandIn {
  readonly entry: ToolEntry;
  readonly input: JsonObject;
  /** True when the failed tool may have taken effect. */
  readonly isAfterEffect: boolean;
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
  return { ...unfinished(input, message), fault: { code, message } };
}

/** The result of a call that was cut short. */
export function cutShort(input: Json, message: string, reason: unknown): ToolResult {
  return { ...unfinished(input, message), ender: { reason } };
}

function unfinished(input: Json, content: string): ToolResult {
  return { input, content, ok: false, degraded: false, cached: false };
}

/** A tool's output as text: text as it is, data as compact JSON. */
export function outputText(output: unknown): string {
  const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "");
  return text.trim() === "" ? "no result" : text;
}

/** A text cut at a size, for an observation. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  // A cut inside a pair of surrogates would leave text that no endpoint can read.
  const kept = text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}\n[cut: ${maxChars} of ${text.length} characters shown]`;
}
