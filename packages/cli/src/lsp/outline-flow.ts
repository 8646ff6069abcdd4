import {
  entryOf,
  isQuote,
  type OutlineEntry,
  type OutlineNode,
  type OutlineScalar,
  scalar,
} from "./outline-node.ts";
import { quotedEnd } from "./outline-scan.ts";

/** Reads what stands in braces or brackets at an offset; where it is not closed, it ends at `limit`. */
export function readFlow(text: string, start: number, limit: number, depth: number): OutlineNode {
  return new FlowReader(text, limit).read(start, depth).node;
}

interface Read<T> {
  readonly node: T;
  /** Where reading goes on. */
  readonly next: number;
}

class FlowReader {
  readonly #text: string;
  readonly #limit: number;

  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
  }

  read(start: number, depth: number): Read<OutlineNode> {
    const first = this.#text[start];
    if (first === "{" && depth > 0) return this.#map(start, depth - 1);
    if (first === "[" && depth > 0) return this.#list(start, depth - 1);
    if (isQuote(first ?? "")) return this.#quoted(start);
    const end = this.#plainEnd(start, false);
    return { node: scalar(this.#text, start, end), next: end };
  }

  #map(start: number, depth: number): Read<OutlineNode> {
    const entries: OutlineEntry[] = [];
    let at = this.#skip(start + 1, ",");
    while (at < this.#limit && this.#text[at] !== "}") {
      const { node, next } = this.#entry(at, depth);
      entries.push(node);
      at = this.#skip(Math.max(next, at + 1), ",");
    }
    const end = Math.min(at + 1, this.#limit);
    return { node: { kind: "map", start, end, column: start, isFlow: true, entries }, next: end };
  }

  #list(start: number, depth: number): Read<OutlineNode> {
    const items: OutlineNode[] = [];
    let at = this.#skip(start + 1, ",");
    while (at < this.#limit && this.#text[at] !== "]") {
      const { node, next } = this.#item(at, depth);
      items.push(node);
      at = this.#skip(Math.max(next, at + 1), ",");
    }
    const end = Math.min(at + 1, this.#limit);
    const node = {
      kind: "list",
      start,
      end,
      column: start,
      isFlow: true,
      items,
      dashes: [],
    } as const;
    return { node, next: end };
  }

  /** An item; `key: value` without braces is a map with one key. */
  #item(at: number, depth: number): Read<OutlineNode> {
    if (this.#colonOf(at) === undefined) return this.read(at, depth);
    const { node, next } = this.#entry(at, depth);
    const map = {
      kind: "map",
      start: at,
      end: node.end,
      column: at,
      isFlow: true,
      entries: [node],
    } as const;
    return { node: map, next };
  }

  #entry(at: number, depth: number): Read<OutlineEntry> {
    const colon = this.#colonOf(at);
    if (colon === undefined) {
      const { node: key, next } = this.read(at, 0);
      return { node: { ...entryOf(this.#text, at, key.end), hasColon: false, end: key.end }, next };
    }
    const key = entryOf(this.#text, at, colon);
    const from = this.#skip(colon + 1, "");
    if (from >= this.#limit || ",}]".includes(this.#text[from] ?? ""))
      return { node: { ...key, end: colon + 1 }, next: from };
    const { node: value, next } = this.read(from, depth);
    return { node: { ...key, value, end: value.end }, next };
  }

  #quoted(start: number): Read<OutlineScalar> {
    const end = quotedEnd(this.#text, start, this.#limit) ?? this.#plainEnd(start, false);
    return { node: scalar(this.#text, start, end), next: end };
  }

  #colonOf(start: number): number | undefined {
    if (isQuote(this.#text[start] ?? "")) {
      const behind = quotedEnd(this.#text, start, this.#limit);
      return behind !== undefined && this.#text[behind] === ":" ? behind : undefined;
    }
    if ("{[".includes(this.#text[start] ?? "")) return undefined;
    const end = this.#plainEnd(start, true);
    return this.#text[end] === ":" && end < this.#limit ? end : undefined;
  }

  /** Where a plain text ends: at what closes or parts, at a line's end, at a comment, and for a key at its colon. */
  #plainEnd(start: number, isKey: boolean): number {
    let at = start;
    for (; at < this.#limit; at += 1) {
      const character = this.#text[at] ?? "";
      if (",}]\n".includes(character)) return at;
      if (character === "#" && /\s/u.test(this.#text[at - 1] ?? "")) return at;
      const isColon = character === ":" && /^[\s,}\]]?$/u.test(this.#text[at + 1] ?? "");
      if (isKey && isColon) return at;
    }
    return at;
  }

  #skip(from: number, also: string): number {
    let at = from;
    while (at < this.#limit) {
      const character = this.#text[at] ?? "";
      if (character === "#" && /\s/u.test(this.#text[at - 1] ?? "")) {
        const lineEnd = this.#text.indexOf("\n", at);
        at = lineEnd === -1 ? this.#limit : lineEnd;
      } else if (/\s/u.test(character) || (also !== "" && also.includes(character))) at += 1;
      else break;
    }
    return Math.min(at, this.#limit);
  }
}
