import { closersOf } from "./quote-marks.ts";
import type { ReplyCursor } from "./reply-cursor.ts";

/** Where a string stands, which says what may follow it. */
export type StringPlace = "key" | "member" | "item" | "tuple" | "whole";

const maxKeyChars = 1_000;
const BARE_KEY = /[\p{L}\p{N}_$][\p{L}\p{N}_$.-]{0,200}/uy;
const BARE_VALUE =
  /[-+]?[\d.][\d.eE+_-]*|(?:true|false|null|none|nan|undefined|-?infinity)(?![\p{L}\p{N}])/iuy;

/** Tells from what follows a quotation mark whether it can close the string that stands at a place; `after` is behind the mark. */
export function canClose(
  cursor: ReplyCursor,
  after: number,
  place: StringPlace,
  depth: number,
): boolean {
  const next = cursor.afterBlanks(after);
  const mark = cursor.markAt(next);
  if (place === "key") return mark === ":";
  if (cursor.isEnd(next)) return true;
  if (place === "whole") return false;
  if (place === "tuple") return mark === ")" || mark === ",";
  if (mark === (place === "member" ? "}" : "]")) return canFollowCloser(cursor, next + 1, depth);
  if (place === "item") return mark === "," && startsItem(cursor, afterCommas(cursor, next));
  if (mark === ",") return startsKey(cursor, afterCommas(cursor, next), true);
  return next > after && startsKey(cursor, next, false);
}

/** What closes an object or list is followed by more of what holds it; outermost, by anything. */
function canFollowCloser(cursor: ReplyCursor, at: number, depth: number): boolean {
  if (depth <= 1) return true;
  const next = cursor.afterBlanks(at);
  const mark = cursor.markAt(next);
  return cursor.isEnd(next) || (mark !== undefined && "]},){[".includes(mark)) || mark === '"';
}

function afterCommas(cursor: ReplyCursor, at: number): number {
  let next = at;
  while (cursor.markAt(next) === ",") next = cursor.afterBlanks(next + 1);
  return next;
}

/** True where a key and its colon stand; where the object may also end, that counts too. */
export function startsKey(cursor: ReplyCursor, at: number, canEnd: boolean): boolean {
  const mark = cursor.markAt(at);
  if (canEnd && (cursor.isEnd(at) || mark === "}" || isEllipsis(cursor, at))) return true;
  const raw = cursor.text[at];
  const closers = closersOf(raw);
  if (closers !== undefined) return isQuotedKey(cursor, at + 1, closers);
  if (!canEnd) return false;
  BARE_KEY.lastIndex = at;
  if (!BARE_KEY.test(cursor.text)) return false;
  return cursor.markAt(cursor.afterBlanks(BARE_KEY.lastIndex)) === ":";
}

function isQuotedKey(cursor: ReplyCursor, from: number, closers: string): boolean {
  const most = Math.min(cursor.text.length, from + maxKeyChars);
  for (let at = from; at < most; at++) {
    const character = cursor.text[at] ?? "";
    if (character === "\\") at++;
    else if (closers.includes(character)) {
      cursor.budget.spend(at - from);
      return cursor.markAt(cursor.afterBlanks(at + 1)) === ":";
    }
  }
  cursor.budget.spend(most - from);
  return false;
}

/** True where three dots stand for what was left out. */
export function isEllipsis(cursor: ReplyCursor, at: number): boolean {
  return cursor.text[at] === "…" || cursor.text.startsWith("...", at);
}

function startsItem(cursor: ReplyCursor, at: number): boolean {
  const mark = cursor.markAt(at);
  if (cursor.isEnd(at) || isEllipsis(cursor, at)) return true;
  if (mark !== undefined && "[{(]".includes(mark)) return true;
  if (closersOf(cursor.text[at]) !== undefined) return true;
  BARE_VALUE.lastIndex = at;
  if (!BARE_VALUE.test(cursor.text)) return false;
  const next = cursor.afterBlanks(BARE_VALUE.lastIndex);
  return cursor.isEnd(next) || cursor.markAt(next) === "," || cursor.markAt(next) === "]";
}
