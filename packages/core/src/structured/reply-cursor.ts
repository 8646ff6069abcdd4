import { ReadFault } from "./read-fault.ts";
import type { StepBudget } from "./step-budget.ts";

const BLANK =
  /[\s\u0085\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;
const COMMENT_STARTS = "/#<\\";
const COMMAS = ",，、﹐";
const COLONS = ":：﹕";
const OPENERS: Readonly<Record<string, string>> = { "｛": "{", "［": "[", "【": "[" };
const CLOSERS: Readonly<Record<string, string>> = { "｝": "}", "］": "]", "】": "]", "）": ")" };

/** What may stand where a text ends that has closing brackets missing: a fence, a closing tag. */
const END_MARK = /```|~~~|<\/[a-z_]+|<\|[a-z_]+\|>|<｜/iy;

/** True for white space and for characters that can't be seen. */
export function isBlank(character: string | undefined): boolean {
  return character !== undefined && BLANK.test(character);
}

/** True for white space that JSON allows between its parts. */
function isStrictBlank(character: string | undefined): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}

/** A place in a text, what may be passed over there, and the repairs that were made on the way. */
export class ReplyCursor {
  at: number;
  readonly text: string;
  readonly budget: StepBudget;
  readonly isStrict: boolean;
  readonly repairs: Map<string, number> = new Map();

  constructor(text: string, at: number, budget: StepBudget, isStrict: boolean) {
    this.text = text;
    this.at = at;
    this.budget = budget;
    this.isStrict = isStrict;
  }

  /** The character here as plain punctuation, or nothing at the end. */
  get here(): string | undefined {
    return this.markAt(this.at);
  }

  /** The character at a place, with full-width punctuation as the plain one. */
  markAt(at: number): string | undefined {
    const character = this.text[at];
    if (character === undefined || this.isStrict || character < "\u0080") return character;
    if (COMMAS.includes(character)) return ",";
    if (COLONS.includes(character)) return ":";
    return OPENERS[character] ?? CLOSERS[character] ?? character;
  }

  note(rule: string, count: number = 1): void {
    this.repairs.set(rule, (this.repairs.get(rule) ?? 0) + count);
  }

  /** Takes one punctuation mark. */
  take(): void {
    const raw = this.text[this.at];
    if (raw !== undefined && this.here !== raw) this.note("replaced-punctuation");
    this.at += 1;
    this.budget.spend(1);
  }

  /** Passes over blanks and comments. */
  skip(): void {
    this.at = this.#blankEnd(this.at, true);
  }

  /** The place after blanks and comments. */
  afterBlanks(at: number): number {
    return this.#blankEnd(at, false);
  }

  /** True at the end of the text, or where a fence or a closing tag ends it. */
  isEnd(at: number = this.at): boolean {
    if (at >= this.text.length) return true;
    if (this.isStrict) return false;
    END_MARK.lastIndex = at;
    return END_MARK.test(this.text);
  }

  #blankEnd(from: number, isNoted: boolean): number {
    let at = from;
    while (isStrictBlank(this.text[at])) at += 1;
    while (!this.isStrict && at < this.text.length) {
      const end = this.#passedEnd(at, isNoted);
      if (end === at) break;
      at = end;
    }
    this.budget.spend(1 + at - from);
    return at;
  }

  /** The end of the one blank, escaped blank or comment at a place. */
  #passedEnd(at: number, isNoted: boolean): number {
    const character = this.text[at] ?? "";
    if (character > " " && character < "\u0080" && !COMMENT_STARTS.includes(character)) return at;
    if (isStrictBlank(character)) return at + 1;
    if (isBlank(character)) {
      if (isNoted) this.note("removed-invisible");
      return at + 1;
    }
    const pair = this.text.slice(at, at + 2);
    if (pair === "\\n" || pair === "\\t" || pair === "\\r") {
      if (isNoted) this.note("removed-escaped-blank");
      return at + 2;
    }
    const end = this.#commentEnd(at, pair);
    if (end > at && isNoted) this.note("removed-comment");
    return end;
  }

  #commentEnd(at: number, pair: string): number {
    if (pair === "/*") return this.#blockEnd(at, "*/");
    if (pair === "<!" && this.text.startsWith("<!--", at)) return this.#blockEnd(at, "-->");
    const isHash = pair.startsWith("#") && /[\s,[{]/.test(this.text[at - 1] ?? " ");
    if (pair !== "//" && !isHash) return at;
    const end = this.text.indexOf("\n", at);
    if (end >= 0) return end + 1;
    if (/[\]}"]/.test(this.text.slice(at)))
      throw new ReadFault("ambiguous", "a comment has no end: what belongs to it is not known");
    return this.text.length;
  }

  #blockEnd(at: number, mark: string): number {
    const end = this.text.indexOf(mark, at + 2);
    if (end < 0) throw new ReadFault("truncated", "a comment is not closed");
    return end + mark.length;
  }
}
