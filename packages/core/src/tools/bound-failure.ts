import { definePrompt, type Language, wordsIn } from "../contracts/prompt.ts";
import type { ToolResult } from "./tool-result.ts";

/** The most characters of a fault in the log. */
const maxFaultChars = 2_000;
/** What a failure ends in says what may be done next, and is kept. */
const tailChars = 300;
/** What is read of a tool that nobody knows. */
const defaultChars = 6_000;

/** A result whose failure is told in no more characters than a result may have; one that went well is left as it is. */
export function boundFailure(
  result: ToolResult,
  maxChars: number = defaultChars,
  language: Language = "en",
): ToolResult {
  const { content, fault, ender, isRecorded = false } = result;
  if (isRecorded || (fault === undefined && ender === undefined)) return result;
  const bounded = { ...result, content: cutMiddle(content, maxChars, language) };
  return fault === undefined
    ? bounded
    : {
        ...bounded,
        fault: { ...fault, message: cutMiddle(fault.message, maxFaultChars, language) },
      };
}

/** A text of at most so many characters, and a few that tell what was left out of its middle. */
function cutMiddle(text: string, maxChars: number, language: Language): string {
  if (text.length <= maxChars) return text;
  const tail = Math.min(tailChars, Math.floor(maxChars / 2));
  // A cut inside a pair of surrogates would leave text that no endpoint can read.
  const start = text.slice(0, maxChars - tail).replace(/[\uD800-\uDBFF]$/u, "");
  const end = text.slice(text.length - tail).replace(/^[\uDC00-\uDFFF]/u, "");
  const count = text.length - start.length - end.length;
  return `${start}\n${wordsIn(language, LEFT_OUT, { count })}\n${end}`;
}

const LEFT_OUT = definePrompt({
  en: "[cut: {{count}} characters left out]",
  zh: "[已截断：省略了 {{count}} 个字符]",
});
