import type { ConstraintLayer } from "@loopwright/core/plugin";

/** Words that name a layer. */
const NAMED =
  /response[_ ]?format|json[_ ]?schema|json[_ ]?object|json[_ -]?mode|structured[_ ]outputs?|guided[_ ](?:json|decoding|grammar)|response[_ ]?mime[_ ]?type|output_config|grammar constraints?/i;
/** Words that may mean one, where something is wrong with it. */
const MEANT = /\b(?:schema|grammar|xgrammar|outlines)\b/i;
const WRONG =
  /\b(?:un|not )(?:supported|available|allowed|permitted|implemented|known)\b|\bunavailable\b|\binvalid\b|\bfail(?:ed|s|ure)?\b|\berror\b|\btoo (?:large|deep|complex|many|long)\b|\bexceeds?\b|can(?:no|')t\b|does(?: not|n't)\b|\bunimplemented\b/i;
/** What such words may be about in truth: a tool, or a filter of what was said. */
const ELSEWHERE =
  /\bfunctions?\b|\btools?\b|\btool_calls?\b|\bparameters\b|\bflagged\b|\bpolicy\b|\bmoderation\b|\bsafety\b/i;
const OF_TOOLS =
  /\b(?:functions?|tools?)(?:\[\d+\]|\.\d+)?\.\w|(?:for|of|in) (?:the )?(?:function|tool)\b/i;

/** A refusal of an endpoint. */
export interface Refusal {
  readonly status: number;
  /** The endpoint's own words. */
  readonly words: string;
  /** The part of the request that it names. */
  readonly parameter: string | undefined;
}

/** The layer that a refusal says the endpoint or the model lacks, of the one that was asked for; nothing where it is about something else. */
export function lackedLayer(
  { status, words, parameter = "" }: Refusal,
  layer: ConstraintLayer | undefined,
): ConstraintLayer | undefined {
  if (layer === undefined || layer === "prompt" || ![400, 404, 422].includes(status))
    return undefined;
  return isAboutForm(words, parameter) ? layer : undefined;
}

function isAboutForm(words: string, parameter: string): boolean {
  if (/must contain the word/i.test(words)) return false;
  if (NAMED.test(parameter)) return true;
  if (/^(?:tools|functions|messages)\b/.test(parameter)) return false;
  if (OF_TOOLS.test(words)) return /response[_ ]?(?:format|mime)/i.test(words);
  if (NAMED.test(words)) return true;
  return MEANT.test(words) && WRONG.test(words) && !ELSEWHERE.test(words);
}
