import { definePrompt } from "../contracts/prompt.ts";
import { isLoopwrightError, messageOf } from "../errors/loopwright-error.ts";
import type { ToolPolicy } from "../program/program.ts";
import { languageOf, say } from "../run/language-of.ts";
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
  const told = toldOf(frame, entry.name, thrown, message, isAfterEffect, tries);
  const failure = { ...refused(input, code, told), fault: { code, message } };
  const { fallback } = policy;
  if (fallback === undefined) return failure;
  if ("text" in fallback) {
    const why = isAfterEffect ? told : say(frame, NOT_AVAILABLE, { tool: entry.name });
    const content = say(frame, INSTEAD, { why, text: fallback.text });
    return { ...failure, content, ok: true, degraded: true };
  }
  const other = entryOf(frame, fallback.tool);
  if (other === undefined) return failure;
  if (isAfterEffect && policyOf(frame, other).effect !== "read") {
    return { ...failure, content: say(frame, CHANGES_TOO, { told, fallback: other.name }) };
  }
  const read = readArguments(
    JSON.stringify(input),
    other.input,
    other.definition.normalize,
    languageOf(frame),
  );
  return read.ok
    ? { ...failure, standIn: { ...read, entry: other, isAfterEffect } }
    : { ...failure, content: say(frame, OTHER_ARGUMENTS, { told, fallback: other.name }) };
}

function toldOf(
  frame: Frame,
  name: string,
  thrown: unknown,
  message: string,
  isAfterEffect: boolean,
  { tried }: FailedTries,
): string {
  const often = tried > 1 ? say(frame, TRIED, { tried }) : "";
  if (saysUnsure(thrown)) return `${message}${often}`;
  if (isAfterEffect) return say(frame, MAY_HAVE_TAKEN_EFFECT, { message, often });
  const isHeldBack = isLoopwrightError(thrown) && thrown.details["isHeldBack"] === true;
  return isHeldBack
    ? say(frame, NOT_EXECUTED, { message })
    : say(frame, FAILED, { tool: name, message, often });
}

/** True where a tool itself says that nobody knows whether it took effect. */
export function saysUnsure(thrown: unknown): boolean {
  return isLoopwrightError(thrown) && thrown.details["isUnsure"] === true;
}

/** The work ended while the call was on its way. */
export function leftBehind(
  frame: Frame,
  { entry, policy, input }: KnownCall,
  reason: unknown,
): ToolResult {
  const words = policy.effect === "read" ? NOT_FINISHED : ON_ITS_WAY;
  const message = say(frame, words, { tool: entry.name });
  return cutShort(input, message, reason);
}

/** A stand-in may end in a text, not in a third tool: chains could go in circles. */
export function withoutTool(policy: ToolPolicy): ToolPolicy {
  const { fallback, ...rest } = policy;
  return fallback !== undefined && "text" in fallback ? policy : rest;
}

const NOT_AVAILABLE = definePrompt({ en: "{{tool}} is not available", zh: "{{tool}} 不可用" });
const INSTEAD = definePrompt({
  en: "{{why}}; instead: {{text}}",
  zh: "{{why}}；替代内容：{{text}}",
});
const CHANGES_TOO = definePrompt({
  en: "{{told}}; its fallback {{fallback}} changes something too, so it was not called",
  zh: "{{told}}；它的后备工具 {{fallback}} 也会产生改动，因此没有调用",
});
const OTHER_ARGUMENTS = definePrompt({
  en: "{{told}}; its fallback {{fallback}} takes other arguments",
  zh: "{{told}}；它的后备工具 {{fallback}} 需要不同的参数",
});
const TRIED = definePrompt({ en: " (tried {{tried}} times)", zh: "（尝试了 {{tried}} 次）" });
const MAY_HAVE_TAKEN_EFFECT = definePrompt({
  en: "{{message}}{{often}}: it may have taken effect; do not repeat it without looking",
  zh: "{{message}}{{often}}：它可能已经生效；未经查看不要重复调用",
});
const NOT_EXECUTED = definePrompt({ en: "not executed: {{message}}", zh: "未执行：{{message}}" });
const FAILED = definePrompt({
  en: "{{tool}} failed: {{message}}{{often}}",
  zh: "{{tool}} 失败：{{message}}{{often}}",
});
const NOT_FINISHED = definePrompt({
  en: "{{tool}} was not finished when the work had to end",
  zh: "工作必须结束时 {{tool}} 还没有完成",
});
const ON_ITS_WAY = definePrompt({
  en: "{{tool}} was on its way when the work had to end: it is not known whether it took effect; do not repeat it without looking",
  zh: "工作必须结束时 {{tool}} 正在执行：不知道它是否已经生效；未经查看不要重复调用",
});
