import { type Draft, LooseText } from "./draft.ts";
import { plainDigits, readNumberText } from "./number-text.ts";
import { ReadFault } from "./read-fault.ts";
import type { ReplyCursor } from "./reply-cursor.ts";

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const DELIMITER = /[\s,\]}]/;
const RUN = /[^,，、:：﹕{}[\]｛｝［］()"“”'‘’\n\r<>=]*/uy;
const GROUPED = /[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?(?=\s*[,}])/y;
const WORD = /^[\p{L}_$][\p{L}\p{N}\p{M}_ .'/@&!?-]*$/u;
const DATE = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$/;
const TYPE_NAMES = "string|number|integer|boolean|bool|int|float|object|array|any|str";
const TYPE_NAME = new RegExp(`^(?:${TYPE_NAMES})$`);
const NOT_A_NUMBER = /^[+-]?(?:nan|infinity|inf)$/i;

const LITERALS: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  none: null,
  undefined: null,
};
const STRICT_LITERALS = ["true", "false", "null"] as const;

/** A value without quotes; `isFirm` where it is surely meant as data. */
export interface ReadScalar {
  readonly value: Draft;
  readonly isFirm: boolean;
}

/** Reads a number, a literal or a word without quotes at the cursor. */
export function readScalar(cursor: ReplyCursor, isMember: boolean): ReadScalar {
  if (isMember && !cursor.isStrict) {
    GROUPED.lastIndex = cursor.at;
    const grouped = GROUPED.exec(cursor.text)?.[0];
    if (grouped !== undefined) return { value: groupedNumber(cursor, grouped), isFirm: true };
  }
  const strict = strictScalar(cursor);
  if (strict !== undefined) return { value: strict, isFirm: true };
  if (cursor.isStrict) throw new ReadFault("syntax", `no JSON value stands at ${excerpt(cursor)}`);
  return looseScalar(cursor);
}

function groupedNumber(cursor: ReplyCursor, text: string): Draft {
  cursor.at += text.length;
  return new LooseText("grouped", text);
}

function strictScalar(cursor: ReplyCursor): Draft | undefined {
  for (const name of STRICT_LITERALS) {
    if (cursor.text.startsWith(name, cursor.at) && isDelimited(cursor, cursor.at + name.length))
      return taken(cursor, name.length, LITERALS[name] ?? null);
  }
  NUMBER.lastIndex = cursor.at;
  const text = NUMBER.exec(cursor.text)?.[0];
  if (text === undefined || !isDelimited(cursor, cursor.at + text.length)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value))
    return taken(cursor, text.length, new LooseText("not-a-number", text));
  const isOwnText = String(value) === text;
  return taken(cursor, text.length, isOwnText ? value : new LooseText("number", text));
}

function isDelimited(cursor: ReplyCursor, at: number): boolean {
  const next = cursor.text[at];
  return next === undefined || DELIMITER.test(next);
}

function taken(cursor: ReplyCursor, length: number, value: Draft): Draft {
  cursor.at += length;
  cursor.budget.spend(length);
  return value;
}

function looseScalar(cursor: ReplyCursor): ReadScalar {
  RUN.lastIndex = cursor.at;
  const run = RUN.exec(cursor.text)?.[0] ?? "";
  cursor.budget.spend(run.length);
  const text = cutComment(run)
    .replaceAll(/[\u200b-\u200f\u2060\ufeff]/g, "")
    .trim();
  if (text === "") throw new ReadFault("syntax", `no JSON value stands at ${excerpt(cursor)}`);
  const end = cursor.at + cutComment(run).trimEnd().length;
  const value = looseValue(cursor, text);
  cursor.at = end;
  const next = cursor.markAt(cursor.afterBlanks(end));
  if (next === "(" || next === "'" || next === "<" || next === "=")
    throw new ReadFault("syntax", `\`${text.slice(0, 40)}\` is no JSON value`);
  return { value, isFirm: !(value instanceof LooseText && value.kind === "word") };
}

function cutComment(run: string): string {
  const at = run.search(/\/\/|\/\*|\s#/);
  return at < 0 ? run : run.slice(0, at);
}

function looseValue(cursor: ReplyCursor, source: string): Draft {
  const text = plainDigits(source);
  const name = text.normalize("NFKC").toLowerCase();
  const literal = Object.hasOwn(LITERALS, name) ? LITERALS[name] : undefined;
  if (literal !== undefined) {
    cursor.note("replaced-literal");
    return literal;
  }
  if (NOT_A_NUMBER.test(text)) return new LooseText("not-a-number", text);
  const number = readNumberText(text, false);
  if (typeof number === "number") {
    cursor.note("rewritten-number");
    return number;
  }
  if (DATE.test(text) || WORD.test(source)) {
    if (TYPE_NAME.test(source))
      throw new ReadFault("syntax", `\`${source}\` names a type, it is no value`);
    return new LooseText("word", source);
  }
  if (/^[+-]?\.?\d/.test(text)) return new LooseText("odd", source);
  throw new ReadFault("syntax", `\`${source.slice(0, 40)}\` is no JSON value`);
}

/** The text at the cursor, for messages. */
export function excerpt(cursor: ReplyCursor): string {
  const text = cursor.text.slice(cursor.at, cursor.at + 20).replaceAll("\n", " ");
  return text === "" ? "the end" : `\`${text}\``;
}
