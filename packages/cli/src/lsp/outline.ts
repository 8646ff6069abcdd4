import { readFlow } from "./outline-flow.ts";
import {
  entryOf,
  isQuote,
  type OutlineEntry,
  type OutlineList,
  type OutlineMap,
  type OutlineNode,
  scalar,
} from "./outline-node.ts";
import { type Line, linesOf } from "./outline-lines.ts";
import { keyEndIn, quotedEnd } from "./outline-scan.ts";

/** Deeper nesting is looked at no further; a spec may not have it. */
const maxDepth = 80;

/**
 * Reads a YAML text as far as its indentation tells, whole or half-typed: every line counts, none stops it. It knows
 * what editors need, places and words; what the text means, the compiler says.
 */
export function readOutline(text: string): OutlineNode | undefined {
  return new OutlineReader(text).read();
}

class OutlineReader {
  readonly #text: string;
  readonly #lines: readonly Line[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = linesOf(text);
  }

  read(): OutlineNode | undefined {
    this.#skipBlank();
    const line = this.#line();
    return line === undefined ? undefined : this.#block(line.start + line.indent, line.indent);
  }

  #line(): Line | undefined {
    return this.#lines[this.#at];
  }

  #skipBlank(): void {
    while (this.#line()?.isBlank === true) this.#at += 1;
  }

  /** What begins at an offset of the present line; it reaches over all lines that are indented further than `column`. */
  #block(start: number, column: number): OutlineNode {
    this.#depth += 1;
    try {
      if (this.#depth > maxDepth) return this.#inline(start, column - 1);
      if (this.#isItem(start)) return this.#list(start, column);
      return keyEndIn(this.#text, start, this.#end()) === undefined
        ? this.#inline(start, column - 1)
        : this.#map(start, column);
    } finally {
      this.#depth -= 1;
    }
  }

  #end(): number {
    return this.#line()?.end ?? this.#text.length;
  }

  #isItem(start: number): boolean {
    return /^-(?:[ \t]|$)/u.test(this.#text.slice(start, Math.min(start + 2, this.#end())));
  }

  #list(start: number, column: number): OutlineList {
    const items: OutlineNode[] = [];
    const dashes: number[] = [];
    let dash: number | undefined = start;
    while (dash !== undefined) {
      dashes.push(dash);
      items.push(this.#item(dash, column));
      dash = this.#next(column, true);
    }
    return {
      kind: "list",
      start,
      end: items.at(-1)?.end ?? start + 1,
      column,
      isFlow: false,
      items,
      dashes,
    };
  }

  #item(dash: number, column: number): OutlineNode {
    const content = this.#afterSpace(dash + 1);
    if (content !== undefined) return this.#block(content, column + (content - dash));
    const found = this.#below(column, false, dash + 1);
    return found ?? scalar(this.#text, dash + 1, dash + 1);
  }

  #map(start: number, column: number): OutlineMap {
    const entries: OutlineEntry[] = [];
    let key: number | undefined = start;
    while (key !== undefined) {
      entries.push(this.#entry(key, column));
      key = this.#next(column, false);
    }
    const end = entries.at(-1)?.end ?? start;
    return { kind: "map", start, end, column, isFlow: false, entries };
  }

  #entry(start: number, column: number): OutlineEntry {
    const keyEnd = keyEndIn(this.#text, start, this.#end());
    if (keyEnd === undefined) {
      const word = scalar(this.#text, start, this.#end());
      this.#at += 1;
      return { ...entryOf(this.#text, start, word.end), hasColon: false, end: word.end };
    }
    const key = entryOf(this.#text, start, keyEnd);
    const content = this.#afterSpace(key.colon + 1);
    if (content === undefined) {
      const below = this.#below(column, true, key.colon + 1);
      return below === undefined
        ? { ...key, end: key.colon + 1 }
        : { ...key, value: below, end: below.end };
    }
    const value = this.#inline(content, column);
    return { ...key, value, end: value.end };
  }

  /** What stands on the lines below a key or a dash; a list may stand as far left as its key. */
  #below(column: number, mayBeLevel: boolean, after: number): OutlineNode | undefined {
    this.#at += 1;
    this.#skipBlank();
    const line = this.#line();
    if (line === undefined || line.start < after) return undefined;
    const start = line.start + line.indent;
    const isInside =
      line.indent > column || (mayBeLevel && line.indent === column && this.#isItem(start));
    return isInside ? this.#block(start, line.indent) : undefined;
  }

  /** The offset of the next entry of a block at a column, or undefined at its end; what is indented further belongs to nothing and is passed. */
  #next(column: number, isList: boolean): number | undefined {
    for (;;) {
      this.#skipBlank();
      const line = this.#line();
      if (line === undefined || line.indent < column) return undefined;
      const start = line.start + line.indent;
      if (line.indent === column) return this.#isItem(start) === isList ? start : undefined;
      this.#at += 1;
    }
  }

  /** The offset of what follows spaces on the present line; undefined where nothing does but a comment. */
  #afterSpace(from: number): number | undefined {
    let at = from;
    const end = this.#end();
    while (at < end && /[ \t]/u.test(this.#text[at] ?? "")) at += 1;
    return at >= end || this.#text[at] === "#" ? undefined : at;
  }

  /** A value that begins on the present line; `column` is that of its key. Leaves the line after it as the present one. */
  #inline(start: number, column: number): OutlineNode {
    const first = this.#text[start] ?? "";
    const limit = this.#limit(column);
    if (first === "{" || first === "[") {
      const node = readFlow(this.#text, start, limit, maxDepth - this.#depth);
      this.#moveBehind(node.end);
      return node;
    }
    if (first === "|" || first === ">") {
      this.#moveBehind(limit);
      return { ...scalar(this.#text, start, limit), style: "block" };
    }
    if (isQuote(first)) {
      const end = quotedEnd(this.#text, start, limit) ?? this.#end();
      this.#moveBehind(end);
      return scalar(this.#text, start, end);
    }
    const node = scalar(this.#text, start, this.#end());
    this.#at += 1;
    return node;
  }

  /** The offset before which a value ends that belongs to a key at a column. */
  #limit(column: number): number {
    for (let at = this.#at + 1; at < this.#lines.length; at += 1) {
      const line = this.#lines[at];
      if (line === undefined || line.isEmpty || line.indent > column) continue;
      const closes = /[}\]]/u.test(this.#text[line.start + line.indent] ?? "");
      if (!closes) return Math.max(line.start - 1, this.#end());
    }
    return this.#text.length;
  }

  #moveBehind(offset: number): void {
    this.#at += 1;
    while ((this.#line()?.start ?? Infinity) < offset) this.#at += 1;
  }
}
