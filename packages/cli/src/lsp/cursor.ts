import type { Step } from "@loopwright/core";
import { type Cursor, emptyKey, entriesOf, nowhere } from "./cursor-place.ts";
import type { OutlineMap, OutlineNode, OutlineScalar } from "./outline-node.ts";
import { openPlace } from "./open-place.ts";

/** Finds the place of an offset; `outline` is that of the text. */
export function cursorAt(text: string, outline: OutlineNode | undefined, offset: number): Cursor {
  if (outline === undefined) return emptyKey([], new Map(), offset, false);
  if (outline.kind === "scalar" && isIn(outline, offset))
    return { ...emptyKey([], new Map(), offset, false), from: outline.start, to: outline.end };
  return find(outline, { text, outline, offset, steps: [], isBelow: true, isFlow: false });
}

/** A search on its way. */
interface Search {
  readonly text: string;
  readonly outline: OutlineNode;
  readonly offset: number;
  readonly steps: readonly Step[];
  /** The value stands on a line below its key, or behind a dash: it may become a map. */
  readonly isBelow: boolean;
  readonly isFlow: boolean;
}

function find(node: OutlineNode, search: Search): Cursor {
  switch (node.kind) {
    case "scalar":
      return inScalar(node, search);
    case "map":
      return inMap(node, search);
    default:
      return inList(node, search);
  }
}

function inScalar(node: OutlineScalar, { steps, offset, isBelow, isFlow, text }: Search): Cursor {
  const isQuoted = node.style === "quoted";
  const isClosed = isQuoted && node.end - node.start > 1 && text[node.end - 1] === text[node.start];
  const from = node.start + (isQuoted ? 1 : 0);
  const to = node.end - (isClosed ? 1 : 0);
  if (offset < from || offset > to) return nowhere(steps, offset);
  const place = isBelow && node.style === "plain" ? "either" : "value";
  return { place, steps, entries: new Map(), from, to, isFlow, scalar: node };
}

function inMap(map: OutlineMap, search: Search): Cursor {
  const { offset, steps, text } = search;
  const isFlow = search.isFlow || map.isFlow;
  const at = map.entries.find((entry) => offset >= entry.start && offset <= entry.keyEnd);
  if (at !== undefined) {
    const entries = entriesOf(map, at);
    const empty = emptyKey(steps, entries, offset, isFlow);
    return { ...empty, from: at.start, to: at.keyEnd, entry: at };
  }
  const before = map.entries.findLast((entry) => entry.start <= offset);
  const inside: Search = {
    ...search,
    isFlow,
    steps: before === undefined ? steps : [...steps, { key: before.key, entries: entriesOf(map) }],
  };
  if (before?.value !== undefined && reaches(before.value, text, offset)) {
    const isBelow = text.slice(before.colon, before.value.start).includes("\n");
    return find(before.value, { ...inside, isBelow });
  }
  const behind = before === undefined ? map.start : before.colon + 1;
  if (before?.hasColon === true && isGap(text, behind, offset, map.isFlow))
    return emptyValue(inside);
  if (!map.isFlow) return openPlace(search.outline, text, offset);
  const isOpen = isSeparated(text, before?.end ?? map.start, offset);
  return isOpen ? emptyKey(steps, entriesOf(map), offset, true) : nowhere(steps, offset);
}

function inList(list: Extract<OutlineNode, { kind: "list" }>, search: Search): Cursor {
  const { offset, steps, text } = search;
  const isFlow = search.isFlow || list.isFlow;
  const index = list.items.findIndex((item) => reaches(item, text, offset));
  const item = list.items[index];
  if (item !== undefined)
    return find(item, { ...search, isFlow, isBelow: !list.isFlow, steps: [...steps, { index }] });
  if (list.isFlow) {
    const before = list.items.findLast(({ end }) => end <= offset);
    const next = list.items.filter(({ end }) => end <= offset).length;
    return isSeparated(text, before?.end ?? list.start, offset)
      ? emptyValue({ ...search, isFlow, steps: [...steps, { index: next }] })
      : nowhere(steps, offset);
  }
  const dash = list.dashes.findLastIndex((at) => at < offset);
  if (dash !== -1 && isGap(text, (list.dashes[dash] ?? 0) + 1, offset, false)) {
    const empty = emptyValue({ ...search, steps: [...steps, { index: dash }] });
    return { ...empty, place: "either" };
  }
  return openPlace(search.outline, text, offset);
}

function emptyValue({ steps, offset, isFlow }: Search): Cursor {
  return { place: "value", steps, entries: new Map(), from: offset, to: offset, isFlow };
}

function isIn({ start, end }: OutlineNode, offset: number): boolean {
  return offset >= start && offset <= end;
}

/** Whether an offset is in a value, or behind the last word of its last line where that may go on. */
function reaches(node: OutlineNode, text: string, offset: number): boolean {
  const mayGoOn = node.kind !== "scalar" && !node.isFlow;
  return isIn(node, offset) || (mayGoOn && isGap(text, node.end, offset, false));
}

/** Whether only spaces stand between: on one line, or on several in braces. */
function isGap(text: string, from: number, to: number, isFlow: boolean): boolean {
  return from <= to && (isFlow ? /^\s*$/u : /^[ \t]*$/u).test(text.slice(from, to));
}

/** Whether a comma, or the opening brace, comes before an offset and no comment. */
function isSeparated(text: string, from: number, to: number): boolean {
  return /^[\s,{[]*$/u.test(text.slice(from, to)) && /[,{[]\s*$/u.test(text.slice(0, to));
}
