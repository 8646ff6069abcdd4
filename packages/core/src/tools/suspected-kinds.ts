import type { InjectionKind } from "../contracts/event.ts";
import { defuseContent } from "../run/observation-text.ts";
import { suspicionPatterns } from "./suspicion-patterns.ts";

/**
 * Says by what a tool's result looks like an attempt to steer the model; empty for most.
 *
 * A hint for people and their alarms, nothing more: a list of patterns finds clumsy attempts, and no decision rests on it.
 */
export function suspectedKinds(text: string): readonly InjectionKind[] {
  const seen =
    text.length > maxChars ? `${text.slice(0, maxChars / 2)}\n${text.slice(-maxChars / 2)}` : text;
  const found = new Set<InjectionKind>(spokenKinds(folded(seen)));
  if (defuseContent(seen) !== seen) found.add("fence");
  if (TERMINAL.test(seen)) found.add("terminal");
  if (isHiding(seen)) found.add("hidden");
  if (encodedTexts(seen).some((hidden) => spokenKinds(folded(hidden)).length > 0))
    found.add("encoded");
  return [...found];
}

/** Characters that are looked at: the first and the last ones. */
const maxChars = 200_000;

function spokenKinds(text: string): readonly InjectionKind[] {
  return suspicionPatterns
    .filter(([, patterns]) => patterns.some((pattern) => pattern.test(text)))
    .map(([kind]) => kind);
}

/** A text as a model reads it: without what is not seen, wide and styled letters as plain ones, escapes resolved. */
function folded(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\u{E0000}-\u{E007F}]/gu, "")
    .replaceAll(/(?<!\\)\\+[nrt]/gu, "\n")
    .replaceAll(/(?<!\\)\\+"/gu, '"')
    .replaceAll(/&(?:amp;)*(?:lt|#0*60|#x0*3c);?/giu, "<")
    .replaceAll(/&(?:amp;)*(?:gt|#0*62|#x0*3e);?/giu, ">")
    .replaceAll(/&(?:amp;)*(?:quot|#0*34|#x0*22);?/giu, '"')
    .replaceAll(/\\u003c/giu, "<")
    .replaceAll(/\\u003e/giu, ">")
    .replaceAll(/[‘’]/gu, "'")
    .replaceAll("：", ":")
    .toLowerCase();
}

/** What moves a cursor, sets a title or rings; colours alone are common in the output of commands. */
// oxlint-disable-next-line no-control-regex
const TERMINAL = /\u001B(?!\[[0-9;:]*m)|[\u0007\u0008\u007F\u0080-\u0084\u0086-\u009F]/u;

/** Marks that turn the reading direction; tags outside a flag. */
const TURNING =
  /[\u202A-\u202E\u2066-\u2069]|(?<![\u{1F3F4}\u{E0000}-\u{E007F}])[\u{E0000}-\u{E007F}]/u;
/** Breaks of no width inside words, in scripts that have no use for them. */
const SPLITTING = /[a-z\p{Script=Han}][\u00AD\u200B\u2060\uFEFF]+(?=[a-z\p{Script=Han}])/giu;

function isHiding(text: string): boolean {
  return TURNING.test(text) || (text.match(SPLITTING)?.length ?? 0) > 2;
}

const BASE64 = /[A-Za-z0-9+/_-]{32,}={0,2}/gu;
const maxEncoded = 32;

/** Texts that stand in a text as base64. */
function encodedTexts(text: string): readonly string[] {
  const found = text.match(BASE64)?.slice(0, maxEncoded) ?? [];
  return found.flatMap((piece) => {
    const decoded = Buffer.from(piece.slice(0, 8_192), "base64").toString("utf8");
    return decoded.includes("\uFFFD") && !isMostlyText(decoded) ? [] : [decoded];
  });
}

function isMostlyText(text: string): boolean {
  return (text.match(/[\p{L}\p{N}\p{Z}\p{P}]/gu)?.length ?? 0) > text.length * 0.9;
}
