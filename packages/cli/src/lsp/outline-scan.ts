/** Where a comment begins between two offsets: a `#` after a space. */
export function commentStart(text: string, start: number, end: number): number | undefined {
  for (let at = text.indexOf("#", start); at !== -1 && at < end; at = text.indexOf("#", at + 1))
    if (at > 0 && /\s/u.test(text[at - 1] ?? "")) return at;
  return undefined;
}

/** The offset behind a quoted text that begins at `start`; undefined where it is not closed before `limit`. */
export function quotedEnd(text: string, start: number, limit: number): number | undefined {
  const quote = text[start];
  for (let at = start + 1; at < limit; at += 1) {
    if (text[at] === "\\" && quote === '"') at += 1;
    else if (text[at] === quote) {
      if (quote === "'" && text[at + 1] === "'") at += 1;
      else return at + 1;
    }
  }
  return undefined;
}

/** The offset of the colon that makes what begins at `start` a key of a block map; undefined where none does. */
export function keyEndIn(text: string, start: number, end: number): number | undefined {
  const first = text[start] ?? "";
  if ("{[|>#".includes(first)) return undefined;
  let at = start;
  if (first === '"' || first === "'") {
    const behind = quotedEnd(text, start, end);
    if (behind === undefined) return undefined;
    at = behind;
    while (text[at] === " ") at += 1;
    return text[at] === ":" ? at : undefined;
  }
  for (; at < end; at += 1) {
    const character = text[at];
    if (character === ":" && (at + 1 >= end || /\s/u.test(text[at + 1] ?? ""))) return at;
    if (character === "#" && /\s/u.test(text[at - 1] ?? "")) return undefined;
  }
  return undefined;
}
