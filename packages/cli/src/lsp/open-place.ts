import type { Step } from "@loopwright/core";
import { type Cursor, emptyKey, entriesOf, nowhere } from "./cursor-place.ts";
import type { OutlineEntry, OutlineMap, OutlineNode } from "./outline-node.ts";

/** A map of lines that is open at an offset, the outermost first. */
interface OpenMap {
  readonly map: OutlineMap;
  readonly steps: readonly Step[];
  /** Its last entry before the offset. */
  readonly last: OutlineEntry | undefined;
}

/** The place of an offset on an empty line: its indentation says which map it continues. */
export function openPlace(outline: OutlineNode, text: string, offset: number): Cursor {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  if (before.trim() !== "") return nowhere([], offset);
  const open = openMaps(outline, [], offset);
  const column = offset - lineStart;
  const level = open.findLast(({ map }) => map.column === column);
  const above = open.findLast(({ map }) => map.column < column);
  const inner = open.at(-1);
  if (above !== undefined && above === inner && isUnfilled(above)) {
    const { last, map, steps } = above;
    const into: Step = { key: last?.key ?? "", entries: entriesOf(map) };
    return { ...emptyKey([...steps, into], new Map(), offset, false), place: "either" };
  }
  const found = level ?? open.find(({ map }) => map.column > column) ?? above;
  return found === undefined
    ? nowhere([], offset)
    : emptyKey(found.steps, entriesOf(found.map), offset, false);
}

function isUnfilled({ last }: OpenMap): boolean {
  return last !== undefined && last.hasColon && last.value === undefined;
}

function openMaps(node: OutlineNode, steps: readonly Step[], offset: number): readonly OpenMap[] {
  if (node.kind === "scalar" || node.isFlow) return [];
  if (node.kind === "list") {
    const index = node.items.findLastIndex(({ start }) => start < offset);
    const item = node.items[index];
    return item === undefined ? [] : openMaps(item, [...steps, { index }], offset);
  }
  const last = node.entries.findLast(({ start }) => start < offset);
  const into: Step = { key: last?.key ?? "", entries: entriesOf(node) };
  const inner = last?.value === undefined ? [] : openMaps(last.value, [...steps, into], offset);
  return [{ map: node, steps, last }, ...inner];
}
