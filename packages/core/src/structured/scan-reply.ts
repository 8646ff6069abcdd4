import { DraftReader } from "./draft-reader.ts";
import type { ParseLimits } from "./parse-limits.ts";
import { balancedEnd } from "./balanced-end.ts";
import { ReadFault } from "./read-fault.ts";
import { isBlank, ReplyCursor } from "./reply-cursor.ts";
import { anyThinkingClose, markAt, type ReplyMark } from "./reply-marks.ts";
import type { ReplyPart, ScannedReply } from "./reply-part.ts";
import type { StepBudget } from "./step-budget.ts";
import { codeCallAt, type FoundCall, taggedCallAt } from "./text-calls.ts";

const ONLY_FENCE = /^\s*(?:(?:`{3,}|~{3,})\w{0,20}\s*)?$/;
/** What an object or a list can begin with; a long run of blanks is not looked behind. */
const START = /^(?:[{｛](?![^\S]*[{[(:;!@%&*=+|)\]?>~^-])|[[［](?![^\S]*[)};:;!@%&*=|?>~^]))/;
/** What stands behind a value that ended too early, at a quotation mark inside a string. */
const CUT_STRING = /^"|^[ \t]*"\s*[,:\]}]|^[^\n{["]*(?:"[^\n{["]*"[^\n{["]*)*"[^\n{["]*[}\]]/;
/** A function's name and its open bracket. */
const CALLED = /\w\(\s*$/;
const SILENT = ",，;；.。}]｝］)）:：`*";

/** Goes over a reply once and collects the values and calls in it; what stands between them is passed over. */
export function scanReply(
  text: string,
  budget: StepBudget,
  limits: ParseLimits,
  canCall: boolean,
): ScannedReply {
  return new ReplyScan(text, budget, limits, canCall).run();
}

class ReplyScan {
  readonly #text: string;
  readonly #budget: StepBudget;
  readonly #limits: ParseLimits;
  readonly #canCall: boolean;
  readonly #lastThinkingClose: number;
  #at = 0;
  #bodyStart = 0;
  #parts: ReplyPart[] = [];
  #removed = new Set<string>();
  #isParted = false;
  #isInCall = false;
  #isLineStart = true;
  #isThinkingOpen = false;
  #tried = 0;
  readonly #unclosed = new Set<string>();
  #openerCount = 0;

  constructor(text: string, budget: StepBudget, limits: ParseLimits, canCall: boolean) {
    this.#text = text;
    this.#budget = budget;
    this.#limits = limits;
    this.#canCall = canCall;
    this.#lastThinkingClose = lastMatch(anyThinkingClose, text);
  }

  run(): ScannedReply {
    while (this.#at < this.#text.length && !this.#isThinkingOpen) this.#step();
    return {
      parts: this.#parts,
      bodyStart: this.#bodyStart,
      isThinkingOpen: this.#isThinkingOpen,
      removed: this.#removed,
    };
  }

  #step(): void {
    const character = this.#text[this.#at] ?? "";
    this.#budget.spend(1);
    const mark = markAt(this.#text, this.#at, this.#unclosed);
    if (character === "<" && this.#takeCall()) return;
    if (mark !== undefined) {
      this.#takeMark(mark);
      return;
    }
    if ("{[｛［".includes(character)) {
      this.#tryValue();
      return;
    }
    if (this.#isLineStart && this.#canCall && /[A-Za-z_]/.test(character) && this.#takeCodeCall())
      return;
    if (character === "\n") this.#isLineStart = true;
    else if (!isBlank(character) && !SILENT.includes(character)) {
      this.#isLineStart = false;
      this.#pass();
    }
    this.#at += 1;
  }

  /** Passes over prose. */
  #pass(): void {
    this.#isParted = true;
    this.#removed.add("removed-text");
  }

  #takeMark({ kind, end }: ReplyMark): void {
    this.#isLineStart = true;
    switch (kind) {
      case "thinking":
        this.#takeThinking(end);
        return;
      case "thinking-end":
        this.#startBody(end);
        return;
      case "fence":
        this.#isParted = true;
        this.#removed.add("removed-fence");
        break;
      case "comment":
        this.#removed.add("removed-comment");
        break;
      case "tool":
        this.#isInCall = true;
        this.#removed.add("removed-wrapper");
        break;
      case "tag":
        this.#removed.add("removed-wrapper");
        break;
    }
    this.#at = end;
  }

  #takeThinking(from: number): void {
    this.#removed.add("removed-thinking");
    anyThinkingClose.lastIndex = from;
    const isClosed = this.#lastThinkingClose >= from && anyThinkingClose.test(this.#text);
    if (isClosed) {
      this.#at = anyThinkingClose.lastIndex;
      this.#budget.spend(this.#at - from);
      if (this.#parts.length === 0) this.#bodyStart = this.#at;
    } else {
      this.#parts = [];
      this.#isThinkingOpen = true;
    }
  }

  /** What stands before a closing tag without an opening one is thinking. */
  #startBody(from: number): void {
    this.#parts = [];
    this.#removed = new Set(["removed-thinking"]);
    this.#isParted = false;
    this.#isInCall = false;
    this.#bodyStart = from;
    this.#at = from;
  }

  #takeCall(): boolean {
    const start = this.#at;
    return this.#attempt(start, () => taggedCallAt(this.#source(), start));
  }

  #takeCodeCall(): boolean {
    const start = this.#at;
    return this.#attempt(start, () => codeCallAt(this.#source(), start));
  }

  #source(): { text: string; budget: StepBudget; maxDepth: number } {
    return { text: this.#text, budget: this.#budget, maxDepth: this.#limits.maxDepth };
  }

  #attempt(start: number, find: () => FoundCall | undefined): boolean {
    let found: FoundCall | undefined;
    try {
      found = find();
    } catch (fault) {
      if (!(fault instanceof ReadFault) || fault.isFinal) throw fault;
      this.#isInCall = true;
      this.#add({ start, end: this.#text.length, fault, repairs: new Map() });
      return true;
    }
    if (found === undefined) return false;
    this.#isInCall = true;
    this.#removed.add("removed-wrapper");
    this.#add({ start, end: found.end, call: found.call, repairs: found.repairs });
    return true;
  }

  #add(part: Omit<ReplyPart, "isParted" | "isCall">): void {
    this.#parts.push({ ...part, isParted: this.#isParted, isCall: this.#isInCall });
    this.#isParted = false;
    this.#at = part.end;
    this.#tried += 1;
    if (this.#tried > this.#limits.maxCandidates)
      throw new ReadFault(
        "too-large",
        `the text holds more than ${this.#limits.maxCandidates} values`,
      );
  }

  #tryValue(): void {
    const start = this.#at;
    if (this.#canCall && /^\[\s*[A-Za-z_][\w.]*\(/.test(this.#text.slice(start, start + 140))) {
      this.#isLineStart = true;
      this.#at += 1;
      return;
    }
    this.#isLineStart = false;
    if (!START.test(this.#text.slice(start, start + 40))) {
      this.#passOpener();
      return;
    }
    this.#openerCount = 0;
    if (!this.#tryReader(this.#reader(start, true), start))
      this.#tryReader(this.#reader(start, false), start);
  }

  #reader(at: number, isStrict: boolean): DraftReader {
    return new DraftReader(
      new ReplyCursor(this.#text, at, this.#budget, isStrict),
      this.#limits.maxDepth,
    );
  }

  /** Passes over a bracket that opens nothing; a long row of them is no prose. */
  #passOpener(): void {
    this.#openerCount += 1;
    if (this.#openerCount > this.#limits.maxDepth)
      throw new ReadFault("too-deep", `the text is nested deeper than ${this.#limits.maxDepth}`);
    this.#passChar();
  }

  #tryReader(reader: DraftReader, start: number): boolean {
    const { cursor } = reader;
    try {
      const draft = reader.value("whole");
      if (!this.#isMeant(reader, start)) {
        this.#passChar();
        return true;
      }
      this.#add({ start, end: cursor.at, draft, repairs: cursor.repairs });
      return true;
    } catch (fault) {
      if (!(fault instanceof ReadFault) || fault.isFinal) throw fault;
      if (cursor.isStrict) return false;
      this.#takeFault(reader, fault, start);
      return true;
    }
  }

  /** Refuses words in brackets that stand in prose, and a value whose end is in doubt. */
  #isMeant(reader: DraftReader, start: number): boolean {
    const end = reader.cursor.at;
    const isCut =
      CUT_STRING.test(this.#text.slice(end, end + 500)) && this.#text[start - 1] !== '"';
    if (isCut || (reader.isOdd && this.#text.includes('"', end)))
      throw new ReadFault(
        "ambiguous",
        'it is not clear where a string ends: write quotation marks inside it as \\"',
      );
    if (this.#text[start] === "[" && CALLED.test(this.#text.slice(Math.max(0, start - 60), start)))
      throw new ReadFault("syntax", "a list in the call of a function is no JSON");
    if (reader.isFirm || !reader.cursor.repairs.has("added-quotes")) return true;
    return ONLY_FENCE.test(this.#text.slice(0, start)) && ONLY_FENCE.test(this.#text.slice(end));
  }

  #passChar(): void {
    this.#pass();
    this.#at += 1;
  }

  /** What was meant as JSON and can't be read is kept as a fault, up to its closing bracket where that is clear; other brackets are prose. */
  #takeFault(reader: DraftReader, fault: ReadFault, start: number): void {
    const isThought = this.#lastThinkingClose > start;
    if (isThought || !reader.hasStructure) {
      this.#passChar();
      return;
    }
    const end = fault.code === "ambiguous" ? this.#text.length : balancedEnd(this.#text, start);
    this.#budget.spend(end - start);
    this.#add({ start, end, fault, repairs: new Map() });
  }
}

function lastMatch(pattern: RegExp, text: string): number {
  let last = -1;
  pattern.lastIndex = 0;
  for (const match of text.matchAll(pattern)) last = match.index;
  return last;
}
