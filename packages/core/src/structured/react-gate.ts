import { defaultParseLimits } from "./parse-limits.ts";
import { trimEdges } from "./react-text.ts";
import type { StructuredFailure } from "./structured-result.ts";

const cutReasons: ReadonlySet<string> = new Set([
  "length",
  "max_tokens",
  "content-filter",
  "content_filter",
]);
const { maxChars } = defaultParseLimits;

/** What makes a reply a fault before its step is read. */
export function gateFailure(
  text: string,
  finishReason: string | undefined,
): StructuredFailure | undefined {
  if (finishReason !== undefined && cutReasons.has(finishReason)) {
    return { ok: false, code: "truncated", message: `the reply was cut (${finishReason})` };
  }
  if (text.length > maxChars) {
    return { ok: false, code: "too-large", message: `the reply has over ${maxChars} characters` };
  }
  if (trimEdges(text) === "") return { ok: false, code: "empty", message: "the reply is empty" };
  return undefined;
}
