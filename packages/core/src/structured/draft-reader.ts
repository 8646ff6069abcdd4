import { type Draft, type DraftObject, isDraftObject, LooseText, sameDraft } from "./draft.ts";
import { closersOf } from "./quote-marks.ts";
import { ReadFault } from "./read-fault.ts";
import { excerpt, readScalar } from "./read-scalar.ts";
import { readString } from "./read-string.ts";
import type { ReplyCursor } from "./reply-cursor.ts";
import { isEllipsis, startsKey, type StringPlace } from "./string-end.ts";

const BARE_KEY = /[\p{L}\p{N}_$][\p{L}\p{N}_$.\u200b-\u200d-]*/uy;

/** What the last part of a text was, which says whether closing brackets may be added behind it. */
type LastPart = "none" | "bare" | "string" | "closer" | "opener";

/** Reads one value from a place in a text. */
export class DraftReader {
  readonly cursor: ReplyCursor;
  readonly #maxDepth: number;
  #depth = 0;
  #last: LastPart = "none";
  #oddCount = 0;
  #isFirm = false;
  #hasStructure = false;

  constructor(cursor: ReplyCursor, maxDepth: number) {
    this.cursor = cursor;
    this.#maxDepth = maxDepth;
  }

  /** True once something was read that prose does not hold by chance. */
  get isFirm(): boolean {
    return this.#isFirm;
  }

  /** True once a string, a key with its value, or a whole object or list inside another was read. */
  get hasStructure(): boolean {
    return this.#hasStructure;
  }

  /** True where one string holds an odd number of quotation marks. */
  get isOdd(): boolean {
    return this.#oddCount > 0;
  }

  /** Reads the value that stands here. */
  value(place: StringPlace): Draft {
    const { cursor } = this;
    const mark = cursor.here;
    if (mark === "{") return this.#object();
    if (mark === "[") return this.#list("]");
    if (cursor.isStrict ? mark === '"' : closersOf(cursor.text[cursor.at]) !== undefined)
      return this.#string(place);
    if (!cursor.isStrict) {
      if (mark === "(") return this.#list(")");
      if ((mark === "u" || mark === "U") && /["']/.test(cursor.text[cursor.at + 1] ?? "")) {
        cursor.at += 1;
        return this.#string(place);
      }
    }
    if (cursor.isEnd()) throw new ReadFault("truncated", "the text ends where a value must stand");
    if (mark === "," || mark === "}" || mark === "]" || mark === ")")
      throw new ReadFault("syntax", `a value is missing at ${excerpt(cursor)}`);
    const { value, isFirm } = readScalar(cursor, place === "member");
    this.#last = "bare";
    if (isFirm) this.#isFirm = true;
    if (value instanceof LooseText && value.kind === "word") cursor.note("added-quotes");
    return value;
  }

  #string(place: StringPlace): string {
    this.#hasStructure = true;
    this.#isFirm = true;
    const { text, innerCount } = readString(this.cursor, place, this.#depth);
    if (innerCount % 2 === 1) this.#oddCount += 1;
    if (this.#oddCount > 1)
      throw new ReadFault(
        "ambiguous",
        'quotation marks inside strings can be paired in two ways: write each as \\"',
      );
    this.#last = "string";
    return text;
  }

  #open(): void {
    this.cursor.take();
    this.#last = "opener";
    this.#depth += 1;
    if (this.#depth > this.#maxDepth)
      throw new ReadFault("too-deep", `the value is nested deeper than ${this.#maxDepth}`);
  }

  #close(): void {
    this.cursor.take();
    this.#last = "closer";
    this.#depth -= 1;
    if (this.#depth > 0) this.#hasStructure = true;
  }

  /** Ends a value whose closing bracket is missing at the end of the text. */
  #closeAtEnd(isAfterComma: boolean): void {
    const isWhole = this.#last === "string" || this.#last === "closer";
    if (this.cursor.isStrict || isAfterComma || !isWhole)
      throw new ReadFault("truncated", "the JSON is not closed: the text was cut");
    if (this.cursor.repairs.has("added-comma") || this.cursor.repairs.has("removed-comment"))
      throw new ReadFault(
        "ambiguous",
        "closing brackets are missing, and more is wrong: where the value ends is a guess",
      );
    this.cursor.note("added-closer");
    this.#depth -= 1;
  }

  #object(): DraftObject {
    const { cursor } = this;
    this.#open();
    const object: DraftObject = {};
    for (let isFirst = true; ; isFirst = false) {
      const hadComma = this.#commas(isFirst);
      const mark = cursor.here;
      if (mark === "}") {
        if (hadComma) this.#dropComma();
        this.#close();
        break;
      }
      if (cursor.isEnd()) {
        this.#closeAtEnd(hadComma);
        break;
      }
      if (this.#ellipsis(isFirst)) continue;
      if (!isFirst && !hadComma) this.#missingComma(startsKey(cursor, cursor.at, false));
      this.#member(object);
    }
    checkConstructor(object);
    return object;
  }

  #member(object: DraftObject): void {
    const { cursor } = this;
    const key = this.#key();
    cursor.skip();
    if (cursor.here !== ":") {
      const code = cursor.isEnd() ? "truncated" : "syntax";
      throw new ReadFault(code, `a colon is missing after the key \`${key.slice(0, 60)}\``);
    }
    cursor.take();
    cursor.skip();
    const value = this.value("member");
    if (this.#isFirm) this.#hasStructure = true;
    if (key === "__proto__")
      throw new ReadFault("forbidden-key", "the key `__proto__` is not allowed");
    if (Object.hasOwn(object, key)) {
      if (!sameDraft(object[key] ?? null, value))
        throw new ReadFault(
          "duplicate-key",
          `the key \`${key.slice(0, 60)}\` stands twice with different values`,
        );
      cursor.note("merged-equal-keys");
      return;
    }
    object[key] = value;
  }

  #key(): string {
    const { cursor } = this;
    const isQuoted = cursor.isStrict
      ? cursor.here === '"'
      : closersOf(cursor.text[cursor.at]) !== undefined;
    if (isQuoted) return this.#string("key");
    BARE_KEY.lastIndex = cursor.at;
    const key = cursor.isStrict ? undefined : BARE_KEY.exec(cursor.text)?.[0];
    if (key === undefined) throw new ReadFault("syntax", `no key stands at ${excerpt(cursor)}`);
    cursor.at += key.length;
    cursor.budget.spend(key.length);
    cursor.note("added-quotes");
    this.#last = "bare";
    return key;
  }

  #list(closer: "]" | ")"): Draft[] {
    const { cursor } = this;
    this.#open();
    const list: Draft[] = [];
    let commaCount = 0;
    for (let isFirst = true; ; isFirst = false) {
      const hadComma = this.#commas(isFirst);
      if (hadComma) commaCount += 1;
      if (cursor.here === closer) {
        if (hadComma && closer === "]") this.#dropComma();
        this.#close();
        break;
      }
      if (cursor.isEnd()) {
        this.#closeAtEnd(hadComma || closer === ")");
        break;
      }
      if (this.#ellipsis(isFirst)) continue;
      if (!isFirst && !hadComma)
        this.#missingComma(this.#last === "closer" && (cursor.here === "{" || cursor.here === "["));
      list.push(this.#item(closer));
    }
    if (closer === ")") this.#checkTuple(list, commaCount);
    return list;
  }

  #item(closer: "]" | ")"): Draft {
    const value = this.value(closer === "]" ? "item" : "tuple");
    if (value instanceof LooseText && value.kind === "word" && this.#depth === 1)
      throw new ReadFault("no-json", "a list of words without quotes is no JSON");
    return value;
  }

  #checkTuple(list: readonly Draft[], commaCount: number): void {
    if (list.length === 1 && commaCount === 0)
      throw new ReadFault("syntax", "a value in round brackets is no JSON");
    this.cursor.note("tuple-to-list");
  }

  /** Passes over commas; tells whether there were any. Strict text has one between two parts. */
  #commas(isFirst: boolean): boolean {
    const { cursor } = this;
    cursor.skip();
    let count = 0;
    for (; cursor.here === ","; count++) {
      if (cursor.isStrict && (isFirst || count > 0))
        throw new ReadFault("syntax", "a comma is too many");
      cursor.take();
      cursor.skip();
    }
    const extra = isFirst ? count : count - 1;
    if (extra > 0) cursor.note("removed-comma", extra);
    return count > 0 && !isFirst;
  }

  #dropComma(): void {
    if (this.cursor.isStrict)
      throw new ReadFault("syntax", "a comma stands before a closing bracket");
    this.cursor.note("removed-comma");
  }

  #missingComma(isClear: boolean): void {
    const { cursor } = this;
    if (!cursor.isStrict && isClear) {
      cursor.note("added-comma");
      return;
    }
    const isCloser = cursor.here === "}" || cursor.here === "]" || cursor.here === ")";
    throw isCloser
      ? new ReadFault(
          "ambiguous",
          `a bracket is missing before ${excerpt(cursor)}: where it goes is a guess`,
        )
      : new ReadFault(
          "syntax",
          `a comma is missing, or text is not quoted, before ${excerpt(cursor)}`,
        );
  }

  /** Passes over three dots at the end of a list or object. */
  #ellipsis(isFirst: boolean): boolean {
    const { cursor } = this;
    if (cursor.isStrict || !isEllipsis(cursor, cursor.at)) return false;
    const end = cursor.afterBlanks(cursor.at + (cursor.text[cursor.at] === "…" ? 1 : 3));
    const next = cursor.markAt(end);
    if (isFirst || (next !== "]" && next !== "}"))
      throw new ReadFault("syntax", "three dots stand where a value must be");
    cursor.note("removed-dots");
    cursor.at = end;
    return true;
  }
}

/** Refuses what could change the prototype of an object that is copied from it. */
function checkConstructor(object: DraftObject): void {
  const held = Object.hasOwn(object, "constructor") ? object["constructor"] : undefined;
  if (isDraftObject(held) && Object.hasOwn(held, "prototype"))
    throw new ReadFault("forbidden-key", "the key `constructor` must not hold a `prototype`");
}
