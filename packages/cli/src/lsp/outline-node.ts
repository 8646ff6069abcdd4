import { commentStart } from "./outline-scan.ts";

/** A value of a text, with offsets; `end` is behind its last character. */
export type OutlineNode = OutlineMap | OutlineList | OutlineScalar;

interface Placed {
  readonly start: number;
  readonly end: number;
}

/** A map: of lines, or in braces. */
export interface OutlineMap extends Placed {
  readonly kind: "map";
  /** Of its keys; of a flow map, where it begins. */
  readonly column: number;
  readonly isFlow: boolean;
  readonly entries: readonly OutlineEntry[];
}

/** A list: of lines with dashes, or in brackets. */
export interface OutlineList extends Placed {
  readonly kind: "list";
  readonly column: number;
  readonly isFlow: boolean;
  readonly items: readonly OutlineNode[];
  /** Where each item's dash stands; empty for a flow list. */
  readonly dashes: readonly number[];
}

/** One word or text. */
export interface OutlineScalar extends Placed {
  readonly kind: "scalar";
  readonly style: "plain" | "quoted" | "block";
  /** Without quotes; escapes stay as they are written. */
  readonly word: string;
}

/** A key, and its value where one stands. */
export interface OutlineEntry extends Placed {
  readonly key: string;
  readonly keyEnd: number;
  readonly hasColon: boolean;
  /** Where the colon stands, or would. */
  readonly colon: number;
  readonly value?: OutlineNode;
}

/** Whether a character opens a quoted text. */
export function isQuote(character: string): boolean {
  return character === '"' || character === "'";
}

/** The scalar between two offsets, without the spaces and the comment at its end. */
export function scalar(text: string, start: number, end: number): OutlineScalar {
  const isQuoted = isQuote(text[start] ?? "");
  const stop = isQuoted ? end : (commentStart(text, start, end) ?? end);
  const raw = text.slice(start, stop).trimEnd();
  const word = isQuoted ? unquoted(raw) : raw;
  return {
    kind: "scalar",
    start,
    end: start + raw.length,
    style: isQuoted ? "quoted" : "plain",
    word,
  };
}

/** A key between two offsets whose colon comes right behind it, spaces aside. */
export function entryOf(text: string, start: number, keyEnd: number): Omit<OutlineEntry, "value"> {
  const raw = text.slice(start, keyEnd).trimEnd();
  const key = isQuote(raw[0] ?? "") ? unquoted(raw) : raw;
  return { key, start, keyEnd: start + raw.length, end: keyEnd, hasColon: true, colon: keyEnd };
}

function unquoted(raw: string): string {
  const isClosed = raw.length > 1 && raw.endsWith(raw[0] ?? "");
  return raw.slice(1, isClosed ? -1 : undefined);
}
