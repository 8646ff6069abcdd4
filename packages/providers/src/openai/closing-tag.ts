/** The tag that opens thinking in a text. */
export const THINKING_OPEN = "<think>";
/** The tag that closes it. */
export const THINKING_CLOSE = "</think>";
const MARKS = "\"'`“‘«";

/**
 * Where a closing tag stands that closes thinking which no tag opened, or -1.
 *
 * One in code, behind a quotation mark or in a string of JSON closes nothing. Of a model that is not known to think it has to
 * stand at the beginning or the end of a line, with no opening tag before it: else the text speaks of the tags.
 */
export function closingTag(text: string, isKnownToThink: boolean): number {
  const quotes = new Quotes(text);
  const firstOpen = text.indexOf(THINKING_OPEN);
  for (let at = text.indexOf(THINKING_CLOSE); at >= 0; at = text.indexOf(THINKING_CLOSE, at + 1)) {
    if (!isKnownToThink && firstOpen >= 0 && firstOpen < at) return -1;
    if (!quotes.hold(at) && (isKnownToThink || isAtEdge(text, at))) return at;
  }
  return -1;
}

const BLANKS_TO_EDGE = /[ \t\r]*(?:\n|$)/y;

function isAtEdge(text: string, at: number): boolean {
  BLANKS_TO_EDGE.lastIndex = at + THINKING_CLOSE.length;
  if (BLANKS_TO_EDGE.test(text)) return true;
  let before = at - 1;
  while (text[before] === " " || text[before] === "\t") before -= 1;
  return before < 0 || text[before] === "\n";
}

/** Tells, going over a text once, what is quoted in it. */
class Quotes {
  readonly #text: string;
  /** Only a text that begins as JSON has strings. */
  readonly #isJson: boolean;
  #at = 0;
  #tickCount = 0;
  #depth = 0;
  #isInString = false;

  constructor(text: string) {
    this.#text = text;
    this.#isJson = /^\s*[{[]/.test(text);
  }

  hold(at: number): boolean {
    for (; this.#at < at; this.#at++) this.#see(this.#text[this.#at] ?? "");
    const isBehindMark = at > 0 && MARKS.includes(this.#text[at - 1] ?? "");
    return isBehindMark || this.#tickCount % 2 === 1 || (this.#isInString && this.#depth > 0);
  }

  #see(character: string): void {
    if (character === "`") this.#tickCount += 1;
    if (!this.#isJson) return;
    // A string ends with its line at the latest.
    if (character === "\n") this.#isInString = false;
    else if (this.#isInString && character === "\\") this.#at += 1;
    else if (character === '"') this.#isInString = !this.#isInString;
    else if (this.#isInString) return;
    else if ("{[".includes(character)) this.#depth += 1;
    else if ("}]".includes(character)) this.#depth -= 1;
  }
}
