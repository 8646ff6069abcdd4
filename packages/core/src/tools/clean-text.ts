import { defuseFences } from "../run/observation-text.ts";

/** Text from outside in one piece: without control characters and marks that hide or turn it, and not longer than allowed. */
export function cleanText(text: string, maxChars: number): string {
  const clean = text.replaceAll(HIDDEN, "").trim();
  return clean.length <= maxChars ? clean : `${clean.slice(0, maxChars - 1)}…`;
}

/** The same for a model: it also opens and closes no fence. */
export function modelText(text: string, maxChars: number): string {
  return defuseFences(cleanText(text, maxChars));
}

/**
 * Controls but tab and newline, marks of direction, joiners of no width, what is not seen though it is a letter or a space,
 * tags, and marks that choose a form, but for the one behind an emoji.
 */
const HIDDEN =
  /(?![\t\n])\p{Cc}|[\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}]|\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0d]|[\u{e0000}-\u{e0fff}]|(?<!\p{Emoji})[\ufe0e\ufe0f]/gu;
