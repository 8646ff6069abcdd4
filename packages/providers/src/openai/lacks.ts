import type { ConstraintLayer } from "@loopwright/core/plugin";

/** Words that name a layer. */
const NAMED =
  /response[_ ]?format|json[_ ]?schema|json[_ ]?object|json[_ -]?mode|structured[_ ]outputs?|guided[_ ](?:json|decoding|grammar)|response[_ ]?mime[_ ]?type|output_config|grammar constraints?/i;
/** Words that may mean one, where something is wrong with it. */
const MEANT = /\b(?:schema|grammar|xgrammar|outlines)\b/i;
const WRONG =
  /\b(?:un|not )(?:supported|available|allowed|permitted|implemented|known)\b|\bunavailable\b|\binvalid\b|\bfail(?:ed|s|ure)?\b|\berror\b|\btoo (?:large|deep|complex|many|long)\b|\bexceeds?\b|can(?:no|')t\b|does(?: not|n't)\b|\bunimplemented\b/i;
/** What such words may be about in truth: a tool, a filter of what was said, something else that has a schema. */
const ELSEWHERE =
  /\bfunctions?\b|\btools?\b|\btool_calls?\b|\bparameters\b|\bflagged\b|\bpolicy\b|\bmoderation\b|\bsafety\b|\bdatabase\b/i;
const OF_TOOLS =
  /\b(?:functions?|tools?)(?:\[\d+\]|\.\d+)?\.\w|(?:for|of|in) (?:the )?(?:function|tool)\b/i;
/** The model answered badly, and the endpoint says so in place of the answer. */
const BAD_ANSWER =
  /failed_generation|json_validate_failed|failed to (?:generate|validate|parse)(?: the| valid)? json\b(?! schema)|\b(?:generated|model'?s?|output|response|reply|completion)\b[^.]{0,60}\b(?:does not|did not|doesn't|didn't) (?:match|conform|validate|satisfy|adhere)|\b(?:output|response|reply|completion|generation) (?:was|is|were|contains?)(?: not|n't)(?: a)? (?:valid|well-formed)|\b(?:output|response|reply|completion|generation) (?:was|is) (?:invalid|malformed|no) json/i;
/** What is wrong is the length, the missing word that JSON modes want, or the name of the model. */
const OTHER_LACK =
  /contain(?:s|ing)?\b[^.]{0,30}\bjson\b|context (?:length|window)|maximum (?:context|number of tokens)|max_(?:new_|completion_)?tokens|token limit|\bmodel\b[^.]{0,100}\b(?:does not exist|not found)/i;

/** A refusal of an endpoint. */
export interface Refusal {
  readonly status: number;
  /** The endpoint's own words. */
  readonly words: string;
  /** The part of the request that it names. */
  readonly parameter: string | undefined;
  /** The endpoint's own code. */
  readonly serverCode?: string | undefined;
}

/** The layer that a refusal says the endpoint or the model lacks, of the one that was asked for; nothing where it is about something else. */
export function lackedLayer(
  refusal: Refusal,
  layer: ConstraintLayer | undefined,
): ConstraintLayer | undefined {
  const { words, parameter = "" } = refusal;
  if (layer === undefined || layer === "prompt" || !isRefused(refusal)) return undefined;
  return !isBadAnswer(refusal) && isAboutForm(words, parameter) ? layer : undefined;
}

/** Whether a refusal is about what the model answered, and not about what was asked: the same request may well be answered better. */
export function isBadAnswer(refusal: Refusal): boolean {
  const { words, serverCode = "" } = refusal;
  return isRefused(refusal) && (BAD_ANSWER.test(serverCode) || BAD_ANSWER.test(words));
}

function isRefused({ status }: Refusal): boolean {
  return [400, 404, 422].includes(status);
}

function isAboutForm(words: string, parameter: string): boolean {
  if (OTHER_LACK.test(words)) return false;
  if (NAMED.test(parameter)) return true;
  if (/^(?:tools|functions|messages)\b/.test(parameter)) return false;
  if (OF_TOOLS.test(words)) return /response[_ ]?(?:format|mime)/i.test(words);
  if (NAMED.test(words)) return true;
  return MEANT.test(words) && WRONG.test(words) && !ELSEWHERE.test(words);
}
