import { isLoopwrightError, messageOf } from "../errors/loopwright-error.ts";
import type { ToolPolicy } from "../program/program.ts";
import type { Frame } from "../run/run-scope.ts";
import { OutputError } from "./execute-tool.ts";
import type { KnownCall } from "./known-call.ts";
import { readArguments } from "./read-arguments.ts";
import { entryOf, policyOf } from "./stage-tool.ts";
import { cutShort, refused, type ToolResult } from "./tool-result.ts";

/** What is known about the attempts of a call that failed. */
export interface FailedTries {
  readonly tried: number;
  /** True when what one of them did is not known. */
  readonly isUnsure: boolean;
}

const once: FailedTries = { tried: 1, isUnsure: false };

/** A tool failed: its declared fallback stands in, marked as degraded; else the model is told the failure. */
export function failed(
  frame: Frame,
  { entry, policy, input }: KnownCall,
  thrown: unknown,
  tries: FailedTries = once,
): ToolResult {
  const code = isLoopwrightError(thrown) ? thrown.code : "tool-failed";
  const message = frame.run.linked.redactor.text(messageOf(thrown));
  const isAfterEffect =
    policy.effect !== "read" && (tries.isUnsure || thrown instanceof OutputError);
  const told = toldOf(entry.name, thrown, message, isAfterEffect, tries);
  const failure = { ...refused(input, code, told), fault: { code, message } };
  const { fallback } = policy;
  if (fallback === undefined) return failure;
  if ("text" in fallback) {
    const why = isAfterEffect ? told : `${entry.name} is not available`;
    return { ...failure, content: `${why}; instead: ${fallback.text}`, ok: true, degraded: true };
  }
  const other = entryOf(frame, fallback.tool);
  if (other === undefined) return failure;
  if (isAfterEffect && policyOf(frame, other).effect !== "read") {
    const content = `${told}; its fallback ${other.name} changes something too, so it was not called`;
    return { ...failure, content };
  }
  const read = readArguments(JSON.stringify(input), other.input, other.definition.normalize);
  return read.ok
    ? { ...failure, standIn: { ...read, entry: other, isAfterEffect } }
    : { ...failure, content: `${told}; its fallback ${other.name} takes other arguments` };
}

function toldOf(
  name: string,
  thrown: unknown,
  message: string,
  isAfterEffect: boolean,
  { tried }: FailedTries,
): string {
  const often = tried > 1 ? ` (tried ${tried} times)` : "";
  if (saysUnsure(thrown)) return `${message}${often}`;
  if (isAfterEffect)
    return `${message}${often}: it may have taken effect; do not repeat it without looking`;
  const isHeldBack = isLoopwrightError(thrown) && thrown.details["isHeldBack"] === true;
  return isHeldBack ? `not executed: ${message}` : `${name} failed: ${message}${often}`;
}

/** True where a tool itself says that nobody knows whether it took effect. */
export function saysUnsure(thrown: unknown): boolean {
  return isLoopwrightError(thrown) && thrown.details["isUnsure"] === true;
}

/** The work ended while the call was on its way. */
export function leftBehind({ entry, policy, input }: KnownCall, reason: unknown): ToolResult {
  const message =
    policy.effect === "read"
      ? `${entry.name} was not finished when the work had to end`
      : `${entry.name} was on its way when the work had to end: it is not known whether it took effect; do not repeat it without looking`;
  return cutShort(input, message, reason);
}

/** A stand-in may end in a text, not in a third tool: chains could go in circles. */
export function withoutTool(policy: ToolPolicy): ToolPolicy {
  const { fallback, ...rest } = policy;
  return fallback !== undefined && "text" in fallback ? policy : rest;
}
