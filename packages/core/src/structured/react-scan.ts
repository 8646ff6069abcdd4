import { FenceFinder, type Region, skipQuote } from "./react-fences.ts";
import { labelsInline } from "./react-inline.ts";
import { type LabelPlace, labelAt } from "./react-label-at.ts";
import type { ReactLabel } from "./react-labels.ts";
import {
  closedAt,
  skipEdges,
  lineEndFrom,
  nextLine,
  skipBlanks,
  type Tally,
} from "./react-text.ts";
import { findThinking, type ThinkingTags } from "./react-thinking.ts";

/** Where labels count: at the start of a line; there without a colon too; or anywhere in a line. */
export type LabelPlaces = "starts" | "headings" | "inline";

/** The labels of a text, in order, and the parts in which none counts. */
export interface ReactScan {
  readonly text: string;
  readonly labels: readonly LabelPlace[];
  readonly regions: readonly Region[];
  /** Where the text ends: before a thinking block that nothing closes. */
  readonly limit: number;
}

/** Finds the labels of a text line by line, outside fences and thinking blocks. */
export function scanReact(text: string, places: LabelPlaces, tally: Tally): ReactScan {
  const scanner = new LineScanner(text, places, tally);
  let at = 0;
  while (at < scanner.limit) at = scanner.readLine(at);
  const { labels, regions, limit } = scanner;
  return { text, labels, regions, limit };
}

/** Whether a line in one of the fences begins with a label. */
export function labelInFence(scan: ReactScan, fence: Region, tally: Tally): boolean {
  let at = fence.innerStart;
  while (at < fence.innerEnd) {
    const end = lineEndFrom(scan.text, at, tally);
    const search = { text: scan.text, end, tally, isAtStart: true, mayBeNumbered: true };
    if (labelAt(search, at) !== undefined) return true;
    at = nextLine(scan.text, end);
  }
  return false;
}

class LineScanner {
  readonly labels: LabelPlace[] = [];
  readonly regions: Region[] = [];
  limit: number;
  readonly #text: string;
  readonly #places: LabelPlaces;
  readonly #tally: Tally;
  readonly #tags: ThinkingTags;
  readonly #fences: FenceFinder;
  #state: ReactLabel | undefined;
  #lineEnd = -1;
  #isJson = false;

  constructor(text: string, places: LabelPlaces, tally: Tally) {
    this.#text = text;
    this.#places = places;
    this.#tally = tally;
    this.#tags = findThinking(text, tally);
    this.#fences = new FenceFinder(text, tally);
    this.limit = text.length;
  }

  /** Reads from the start of a line, or from the end of the thinking block before its text; gives the next start. */
  readLine(at: number): number {
    if (at > this.#lineEnd) this.#lineEnd = lineEndFrom(this.#text, at, this.#tally);
    const end = this.#lineEnd;
    const start = skipQuote(this.#text, at, end, this.#tally);
    const afterThinking = this.#passThinking(start, "line");
    if (afterThinking !== undefined) return afterThinking;
    const label = this.#labelAtStart(at, end);
    let rest = at;
    if (label !== undefined) {
      this.#enter(label);
      rest = label.valueAt;
      const value = skipBlanks(this.#text, label.valueAt, end, this.#tally);
      const after = this.#passThinking(value, "value");
      if (after !== undefined) return this.#nextStart(after);
    }
    const fence = this.#isJson ? undefined : this.#fences.openedIn(at, end);
    if (fence !== undefined) {
      this.regions.push(fence);
      return nextLine(this.#text, fence.end);
    }
    return this.#readRest(rest, end, label);
  }

  #labelAtStart(at: number, end: number): LabelPlace | undefined {
    const label = labelAt(
      {
        text: this.#text,
        end,
        tally: this.#tally,
        isAtStart: true,
        mayBeNumbered: true,
        mayLackColon: this.#places === "headings",
      },
      at,
    );
    if (label?.label !== "question") return label;
    return this.#state === undefined || this.#state === "answer" ? label : undefined;
  }

  #enter(label: LabelPlace): void {
    this.labels.push(label);
    this.#state = label.label;
    const value = skipEdges(this.#text, label.valueAt, this.#tally);
    const first = this.#text[value];
    this.#isJson = label.label === "input" && (first === "{" || first === "[");
  }

  /** The end of the thinking block at this place; nothing if none counts there. */
  #passThinking(at: number, place: "line" | "value" | "text"): number | undefined {
    const end = this.#isJson ? undefined : this.#tags.closedFrom(at);
    if (end === undefined) return undefined;
    if (end < 0) {
      const isContent = this.#state === "answer" || this.#state === "input";
      if (place !== "line" || isContent) return undefined;
      this.limit = at;
      return this.#text.length;
    }
    this.regions.push({ kind: "thinking", start: at, end, innerStart: at, innerEnd: end });
    return end;
  }

  #readRest(rest: number, end: number, label: LabelPlace | undefined): number {
    if (this.#places === "inline" || label?.label === "action" || this.#isJson) {
      const next = this.#readInline(rest, end, label);
      return next > end ? next : this.#nextStart(end);
    }
    const isContent = this.#state === "answer" || this.#state === "input";
    const tag = isContent ? undefined : this.#tags.openBetween(rest, end);
    const after = tag === undefined ? undefined : this.#passThinking(tag, "text");
    return this.#nextStart(after ?? end);
  }

  #readInline(rest: number, end: number, label: LabelPlace | undefined): number {
    let from = rest;
    if (this.#isJson && this.#places !== "inline") {
      if (label === undefined) return end;
      const start = skipBlanks(this.#text, rest, end, this.#tally);
      from = closedAt(this.#text, start, end, { quoted: true, tally: this.#tally });
    }
    if (from < 0 || from >= end) return end;
    const first = this.labels[0];
    const { labels, next } = labelsInline({
      text: this.#text,
      from,
      end,
      tally: this.#tally,
      maySmall: first?.isSmall === true,
      mayBeNumbered: first?.isNumbered === true,
    });
    for (const found of labels) this.#enter(found);
    return next;
  }

  #nextStart(at: number): number {
    return nextLine(
      this.#text,
      lineEndFrom(this.#text, Math.min(at, this.#text.length), this.#tally),
    );
  }
}
