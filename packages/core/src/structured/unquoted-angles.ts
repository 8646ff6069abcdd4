/** A `<` that nothing quotes. */
export interface Angle {
  readonly at: number;
  /** True for a tag that closes thinking which nothing opened: what stands before it was thought. */
  readonly isThinkingEnd: boolean;
}

const LIST = "(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)*";
const BLANK_LINE = /[ \t\r]*(?:\n|$)/y;
const QUOTED_LINE = new RegExp(`[ \\t]*${LIST}>`, "y");
const FENCE = new RegExp(`[ \\t]*${LIST}(?:(\`{3,})[^\`\\n]*|(~{3,})[^\\n]*)(?:\\n|$)`, "y");
const FENCE_END = /[ \t]*(`{3,}|~{3,})[ \t\r]*(?:\n|$)/y;
const INDENTED = / {0,3}(?:\t| {4})/y;
const COMMENT = /<!(?:--|\[CDATA\[)/y;
const ELEMENT = /<(code|pre|samp|kbd|tt|xmp|q|blockquote|examples?)(?:\s[^<>]{0,200})?>/iy;
const THINKING = /<(\/?)(?:think|thinking|thought|reasoning)>/iy;
const MARKS = "\"'`“‘«„";
const OPENING = "“«„";
const CLOSING = "”»";

/**
 * Goes over a text once and finds each `<` outside of fences, code, quotations, comments and thinking.
 *
 * Where it is not sure that a quotation has ended, it takes it to go on: what is not found is a call not made, what is found
 * wrongly is one that nobody asked for.
 */
export class UnquotedAngles {
  readonly #text: string;
  #at = 0;
  #isLineStart = true;
  #fence: string | undefined;
  /** How many backticks opened the code that goes on; 0 outside. */
  #tickCount = 0;
  #isInMarks = false;
  #isQuotedBlock = false;
  #isIndented = false;
  #isAfterBlank = false;
  #hasText = false;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Angle | undefined {
    while (this.#at < this.#text.length) {
      if (this.#isLineStart && this.#startsLine()) continue;
      const at = this.#at;
      const character = this.#text[at] ?? "";
      if (character === "<") {
        const angle = this.#angle();
        if (angle !== undefined) return angle;
      } else this.#step(character);
    }
    return undefined;
  }

  /** Looks at the line that begins here; true where nothing of it counts, and it is passed. */
  #startsLine(): boolean {
    this.#isLineStart = false;
    const { length } = this.#fence ?? "";
    if (this.#fence !== undefined) {
      const end = this.#match(FENCE_END)?.[1];
      if (end?.startsWith(this.#fence) === true && end.length >= length) this.#fence = undefined;
      return this.#passLine();
    }
    this.#isInMarks = false;
    if (this.#match(BLANK_LINE) !== undefined) {
      if (this.#tickCount < 3) this.#tickCount = 0;
      this.#isQuotedBlock = false;
      this.#isAfterBlank = true;
      return this.#passLine();
    }
    const [, ticks, waves] = this.#match(FENCE) ?? [];
    this.#fence = ticks ?? waves;
    if (this.#fence !== undefined) {
      this.#tickCount = 0;
      return this.#passLine();
    }
    if (this.#match(QUOTED_LINE) !== undefined) this.#isQuotedBlock = true;
    const mayIndent = this.#isIndented || (this.#isAfterBlank && this.#hasText);
    this.#isIndented = mayIndent && this.#match(INDENTED) !== undefined;
    this.#isAfterBlank = false;
    this.#hasText = true;
    return false;
  }

  #passLine(): boolean {
    this.#goBehind("\n", this.#at);
    this.#isLineStart = true;
    return true;
  }

  #step(character: string): void {
    this.#at += 1;
    if (character === "\n") this.#isLineStart = true;
    else if (character === "`") this.#passTicks();
    else if (this.#tickCount > 0) return;
    else if (character === "\\" && this.#text[this.#at] !== "\n") this.#at += 1;
    else if (character === '"') this.#isInMarks = !this.#isInMarks;
    else if (OPENING.includes(character)) this.#isInMarks = true;
    else if (CLOSING.includes(character)) this.#isInMarks = false;
  }

  /** Code ends at a run of as many backticks as opened it. */
  #passTicks(): void {
    const start = this.#at - 1;
    while (this.#text[this.#at] === "`") this.#at += 1;
    const count = this.#at - start;
    if (this.#tickCount === 0) this.#tickCount = count;
    else if (this.#tickCount === count) this.#tickCount = 0;
  }

  #angle(): Angle | undefined {
    const at = this.#at;
    this.#at += 1;
    if (this.#tickCount > 0) return undefined;
    const isBehindMark = at > 0 && MARKS.includes(this.#text[at - 1] ?? "");
    const isQuoted = isBehindMark || this.#isInMarks || this.#isQuotedBlock || this.#isIndented;
    const thinking = this.#match(THINKING, at);
    if (thinking !== undefined && !isQuoted) {
      if (thinking[1] === "") this.#passThinking(at);
      else this.#restart(at + thinking[0].length);
      return thinking[1] === "" ? undefined : { at, isThinkingEnd: true };
    }
    if (this.#match(COMMENT, at) !== undefined) {
      this.#goBehind(this.#text[at + 2] === "[" ? "]]>" : "-->", at);
      return undefined;
    }
    const element = this.#match(ELEMENT, at)?.[1];
    if (element !== undefined) {
      this.#passElement(element, at);
      return undefined;
    }
    return isQuoted ? undefined : { at, isThinkingEnd: false };
  }

  #passThinking(from: number): void {
    const tags = new RegExp(THINKING.source, "gi");
    tags.lastIndex = from;
    let depth = 0;
    for (let tag = tags.exec(this.#text); tag !== null; tag = tags.exec(this.#text)) {
      depth += tag[1] === "" ? 1 : -1;
      if (depth === 0) return this.#restart(tags.lastIndex);
    }
    this.#at = this.#text.length;
  }

  #passElement(name: string, from: number): void {
    const end = new RegExp(`</${name}\\s*>`, "gi");
    end.lastIndex = from;
    this.#at = end.test(this.#text) ? end.lastIndex : this.#text.length;
  }

  /** What follows thinking is read as if the text began there. */
  #restart(at: number): void {
    this.#at = at;
    this.#isLineStart = true;
    this.#isInMarks = false;
    this.#isQuotedBlock = false;
    this.#isIndented = false;
    this.#isAfterBlank = false;
    this.#hasText = false;
  }

  #goBehind(mark: string, from: number): void {
    const end = this.#text.indexOf(mark, from);
    this.#at = end < 0 ? this.#text.length : end + mark.length;
  }

  #match(pattern: RegExp, at: number = this.#at): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    return pattern.exec(this.#text) ?? undefined;
  }
}
