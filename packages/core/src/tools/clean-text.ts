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

/** Controls but tab and newline, marks of direction, joiners of no width, tags. */
const HIDDEN =
  /(?![\t\n])\p{Cc}|[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
