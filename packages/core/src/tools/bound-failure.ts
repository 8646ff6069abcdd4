import type { ToolResult } from "./tool-result.ts";

/** The most characters of a fault in the log. */
const maxFaultChars = 2_000;
/** What a failure ends in says what may be done next, and is kept. */
const tailChars = 300;
/** What is read of a tool that nobody knows. */
const defaultChars = 6_000;

/** A result whose failure is told in no more characters than a result may have; one that went well is left as it is. */
export function boundFailure(result: ToolResult, maxChars: number = defaultChars): ToolResult {
  const { content, fault, ender, isRecorded = false } = result;
  if (isRecorded || (fault === undefined && ender === undefined)) return result;
  const bounded = { ...result, content: cutMiddle(content, maxChars) };
  return fault === undefined
    ? bounded
    : { ...bounded, fault: { ...fault, message: cutMiddle(fault.message, maxFaultChars) } };
}

/** A text of at most so many characters, and a few that tell what was left out of its middle. */
function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const tail = Math.min(tailChars, Math.floor(maxChars / 2));
  // A cut inside a pair of surrogates would leave text that no endpoint can read.
  const start = text.slice(0, maxChars - tail).replace(/[\uD800-\uDBFF]$/u, "");
  const end = text.slice(text.length - tail).replace(/^[\uDC00-\uDFFF]/u, "");
  return `${start}\n[cut: ${text.length - start.length - end.length} characters left out]\n${end}`;
}
