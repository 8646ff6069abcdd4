import { definePrompt, type Language, wordsIn } from "../contracts/prompt.ts";

/** The terms of a glossary that stand in one of the texts, each with what it means; empty where none does. */
export function glossaryText(
  glossary: ReadonlyMap<string, string> | undefined,
  texts: readonly string[],
  language: Language = "en",
): string {
  if (glossary === undefined || glossary.size === 0) return "";
  const folded = texts.map(fold);
  const lines = [...glossary].flatMap(([term, meaning]) =>
    folded.some((text) => holds(text, fold(term))) ? [`- ${term}: ${meaning}`] : [],
  );
  return lines.length === 0 ? "" : [wordsIn(language, TERMS), ...lines].join("\n");
}

const TERMS = definePrompt({ en: "Terms used here:", zh: "相关术语：" });

/** Case and width make no difference. */
function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** A term in letters must stand as a whole word; scripts without spaces have no such edges. */
function holds(text: string, term: string): boolean {
  if (term === "") return false;
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    const end = at + term.length;
    if (!isOneWord(charBefore(text, at), charAt(term, 0))) {
      if (!isOneWord(charBefore(term, term.length), charAt(text, end))) return true;
    }
  }
  return false;
}

/** True where two characters beside each other belong to one word. */
function isOneWord(left: string, right: string): boolean {
  return WORD.test(left) && WORD.test(right) && !SPACELESS.test(left) && !SPACELESS.test(right);
}

const WORD = /^[\p{L}\p{N}\p{M}_]$/u;
const SPACELESS = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]$/u;

function charAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function charBefore(text: string, index: number): string {
  return Array.from(text.slice(Math.max(0, index - 2), index)).at(-1) ?? "";
}
