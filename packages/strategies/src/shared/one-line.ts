import { defuseContent } from "@loopwright/core/plugin";

/** Text of a model as one line of a prompt: nothing in it begins a line, passes for an observation, or goes on for ever. */
export function oneLine(text: string, maxChars = 600): string {
  return defuseContent(beginningOf(text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim(), maxChars));
}

/** The beginning of a text, with a mark where something is left out; no character is cut in two. */
export function beginningOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}
