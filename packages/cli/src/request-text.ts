import type { Json, PendingRequest, PersonReply } from "@loopwright/core";
import { neutralize } from "./neutralize.ts";

/** Characters of the arguments that are shown; a person told to approve must know when there is more. */
const MAX_SHOWN = 10_000;

/** What a person reads before the prompt. */
export function requestText(request: PendingRequest): string {
  if (request.kind === "approval") {
    const { tool, input, reason } = request;
    return `\n${oneLine(tool)} asks to be called with\n${argumentsText(input)}\n${oneLine(reason)}\n`;
  }
  const options = request.options.map((option, index) => `  ${index + 1}. ${oneLine(option)}\n`);
  return `\n${neutralize(request.question)}\n${options.join("")}`;
}

/** The prompt itself. */
export function promptOf(request: PendingRequest): string {
  if (request.kind === "approval") return "approve? [y/N] ";
  return request.options.length > 0 ? `1-${request.options.length}? ` : "> ";
}

/** What a typed line says; undefined where it must be asked again. Anything but a yes refuses, and is the reason. */
export function readReply(request: PendingRequest, line: string): PersonReply | undefined {
  const text = line.trim();
  if (request.kind === "approval") {
    if (/^y(?:es)?$/iu.test(text)) return { approved: true };
    return /^(?:no?)?$/iu.test(text) ? { approved: false } : { approved: false, reason: text };
  }
  const { options } = request;
  if (options.length === 0) return text === "" ? undefined : { reply: text };
  const chosen = /^\d+$/u.test(text) ? options[Number(text) - 1] : undefined;
  const named = options.find((option) => option.toLowerCase() === text.toLowerCase());
  const reply = chosen ?? named;
  return reply === undefined ? undefined : { reply };
}

/** Pretty JSON: text stays between its quotes, so no value can pass for a line of the prompt. */
function argumentsText(input: Json): string {
  const text = neutralize(JSON.stringify(input, null, 2)).replace(/^/gmu, "  ");
  if (text.length <= MAX_SHOWN) return text;
  return `${text.slice(0, MAX_SHOWN)}\n  … and ${text.length - MAX_SHOWN} characters that are not shown`;
}

function oneLine(text: string): string {
  return neutralize(text).replaceAll("\n", " ");
}
