/** A stretch of a YAML text that can be read without the rest: one entry of the outermost map. */
export interface EntryBlock {
  readonly text: string;
  /** Where it begins, with the comments above it; rows count from 0. */
  readonly row: number;
  /** Set where its value is a list that can be read item by item. */
  readonly list?: ListBlocks;
}

/** The items of a list below an outermost key. */
export interface ListBlocks {
  readonly key: string;
  /** The row of the key. */
  readonly row: number;
  /** How far the dashes are indented. */
  readonly indent: number;
  readonly items: readonly ItemBlock[];
}

/** One item of a list, in the indentation of the list. */
export interface ItemBlock {
  readonly text: string;
  readonly row: number;
  /** Set where its first line is indented less than the list, or has no dash: what stands above it in the entry. */
  readonly strayFrom?: string;
}

// Markers of documents, directives, keys in the long form: lines that belong together though none is indented.
const spansFile = /^(?:---|\.\.\.|%|[?:](?:\s|$))/;
const beginsWithKey = /^[A-Za-z][\w.+-]*[ \t]*:(?:\s|$)/;
// No space, comment, dash or closing bracket in the first column.
const beginsEntry = /^[^\s#\-\]},]/;
const keyOnly = /^([A-Za-z][\w-]*):[ \t]*(?:#.*)?$/;

/**
 * Splits a block map in the first column into its entries, and long lists below them into their items; undefined where the
 * text can only be read as a whole. Every block ends at the end of a line. Whoever reads the blocks must look out for
 * anchors and aliases, which reach across them.
 */
export function splitYaml(text: string): readonly EntryBlock[] | undefined {
  const all = linesOf(text);
  const above = rowsBefore(all);
  const lines = all.slice(above);
  if (lines.some((line) => spansFile.test(line))) return undefined;
  const starts = lines.flatMap((line, row) => (beginsEntry.test(line) ? [row] : []));
  const [first] = starts;
  if (first === undefined || starts.length < 2 || !beginsWithKey.test(lines[first] ?? ""))
    return undefined;
  if (lines.slice(0, first).some((line) => !isAside(line))) return undefined;
  return starts.map((start, index) => {
    const from = index === 0 ? 0 : start;
    const own = lines.slice(from, starts[index + 1] ?? lines.length);
    const row = above + from;
    const list = splitList(own, row, start - from);
    return { text: own.join(""), row, ...(list === undefined ? {} : { list }) };
  });
}

/** The rows above the document: asides, the directive that says the version, and the marker that begins it; none without one. */
function rowsBefore(lines: readonly string[]): number {
  const marker = lines.findIndex((line) => !isAside(line) && !/^%YAML 1\.2\s*(?:#.*)?$/.test(line));
  return /^---\s*(?:#.*)?$/.test(lines[marker] ?? "") ? marker + 1 : 0;
}

function splitList(lines: readonly string[], row: number, keyAt: number): ListBlocks | undefined {
  const key = keyOnly.exec((lines[keyAt] ?? "").trimEnd())?.[1];
  const first = lines.findIndex((line, at) => at > keyAt && !isAside(line));
  if (key === undefined || first === -1) return undefined;
  const indent = indentOf(lines[first] ?? "");
  const starts: { readonly at: number; readonly isStray: boolean }[] = [];
  for (let at = first; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (isAside(line)) continue;
    const own = indentOf(line);
    if (own > indent) continue;
    const isDash = line[own] === "-" && /\s/.test(line[own + 1] ?? "");
    if (at === first && !isDash) return undefined;
    starts.push({ at, isStray: own < indent || !isDash });
  }
  if (starts.length < 2) return undefined;
  const items = starts.map(({ at, isStray }, index) => ({
    text: lines.slice(at, starts[index + 1]?.at ?? lines.length).join(""),
    row: row + at,
    ...(isStray ? { strayFrom: lines.slice(0, at).join("") } : {}),
  }));
  return { key, row: row + keyAt, indent, items };
}

function isAside(line: string): boolean {
  return /^\s*(?:#|$)/.test(line);
}

function indentOf(line: string): number {
  let spaces = 0;
  while (line[spaces] === " ") spaces += 1;
  return spaces;
}

/** The lines with their ends. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}
