import type { ArgumentChange } from "../contracts/event.ts";
import type { ToolEntry } from "../program/program.ts";
import type { Json, JsonObject } from "../contracts/json.ts";

/** What one call came to, before it is recorded as an observation. */
export interface ToolResult {
  readonly input: Json;
  readonly content: string;
  readonly ok: boolean;
  readonly degraded: boolean;
  readonly cached: boolean;
  /** True for what a log says of the call. */
  readonly isRecorded?: boolean;
  /** What core says about the call; the model reads it outside the tool's own text. */
  readonly notes?: readonly string[];
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
  /** What in the arguments of the failed one it reads as something else. */
  readonly changes?: readonly ArgumentChange[];
  /** True when the failed tool may have taken effect. */
  readonly isAfterEffect: boolean;
  /** True for the stand-in of a call that was not made, because it replays a recorded one. */
  readonly isReplayed?: boolean;
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

/** A result with something that core says about its call, before what it says already. */
export function withNote(result: ToolResult, note: string): ToolResult {
  return { ...result, notes: [note, ...(result.notes ?? [])] };
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
