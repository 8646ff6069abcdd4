import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Document,
  type Pair,
  type YAMLMap,
} from "yaml";
import { childRole, inOrder, type ChildRole, type MapRole } from "./key-order.ts";
import { endOfLine, leadOf } from "./line-ranges.ts";

/**
 * Writes the maps of a spec in the one order of keys. Each entry moves as the lines that it is, with the comments above it;
 * names that the author chose keep their order. The source ends with a line break.
 */
export function reorderKeys(document: Document, source: string): string {
  return new Writer(source).write(document.contents, { role: "spec", isNamed: false });
}

/** The range of one entry: what is above it, and itself. */
interface Segment {
  readonly key: string;
  readonly lead: string;
  readonly body: string;
  /** Whether empty lines behind it would be a part of its text. */
  readonly keepsLines: boolean;
}

interface Part {
  readonly node: unknown;
  readonly child: ChildRole;
}

class Writer {
  readonly #source: string;
  /** Whether what was written last ends with a block text that keeps the empty lines behind it. */
  #keepsLines = false;

  constructor(source: string) {
    this.#source = source;
  }

  /** The whole source, with what stands at the root in order. */
  write(root: unknown, child: ChildRole): string {
    return this.#span(0, this.#source.length, [{ node: root, child }]);
  }

  #span(from: number, to: number, parts: readonly Part[]): string {
    let position = from;
    let text = "";
    for (const { node, child } of parts) {
      const range = rangeOf(node);
      if (range === undefined) continue;
      const start = isMap(node) && node.flow !== true ? this.#withComments(range[0]) : range[0];
      text += this.#source.slice(position, start) + this.#node(node, [start, range[1]], child);
      position = range[1];
    }
    return text + this.#source.slice(position, to);
  }

  // The comments above the first key of an inner map belong to that key.
  #withComments(start: number): number {
    const lineStart = this.#source.lastIndexOf("\n", start - 1) + 1;
    const indent = this.#source.slice(lineStart, start);
    return indent === "" || indent.trim() !== "" ? start : leadOf(this.#source, start, indent);
  }

  #node(node: unknown, [start, end]: readonly [number, number], child: ChildRole): string {
    if (isSeq(node))
      return this.#span(
        start,
        end,
        node.items.map((item) => ({ node: item, child: ofItem(child) })),
      );
    if (!isMap(node)) {
      this.#keepsLines = isKept(node, this.#source);
      return this.#source.slice(start, end);
    }
    const role = roleOf(node, child);
    const roleOfValue = (pair: Pair): ChildRole => roleUnder(node, role, child, keyOf(pair));
    return node.flow === true
      ? this.#flowMap(node, start, end, role, roleOfValue)
      : this.#blockMap(node, start, end, role, roleOfValue);
  }

  #flowMap(
    node: YAMLMap,
    start: number,
    end: number,
    role: MapRole,
    roleOfValue: (pair: Pair) => ChildRole,
  ): string {
    const ranges = node.items.map(pairRange);
    const written = node.items.map((pair, index) => {
      const [from, to] = ranges[index] ?? [0, 0];
      return this.#span(from, to, [{ node: pair.value, child: roleOfValue(pair) }]);
    });
    const between = ranges.map(([from], index) =>
      this.#source.slice(ranges[index - 1]?.[1] ?? start, from),
    );
    const last = this.#source.slice(ranges.at(-1)?.[1] ?? start, end);
    const isPlain = [...between, last].every((gap) => /^[\s,{}]*$/.test(gap));
    const keyed = node.items.map((pair, index) => ({
      key: keyOf(pair),
      text: written[index] ?? "",
    }));
    const order = isPlain && hasPlainKeys(node) ? inOrder(role, keyed, ({ key }) => key) : keyed;
    return between.map((gap, index) => gap + (order[index]?.text ?? "")).join("") + last;
  }

  #blockMap(
    node: YAMLMap,
    start: number,
    end: number,
    role: MapRole,
    roleOfValue: (pair: Pair) => ChildRole,
  ): string {
    const parts = node.items.map((pair) => ({ node: pair.value, child: roleOfValue(pair) }));
    if (!hasPlainKeys(node)) return this.#span(start, end, parts);
    const starts = node.items.map((pair) => pairRange(pair)[0]);
    const [first = start] = starts;
    const column = first - (this.#source.lastIndexOf("\n", first - 1) + 1);
    const indent = " ".repeat(column);
    const ownsLine = column === 0 || start < first;
    const leads = starts.map((at, index) =>
      index === 0
        ? start
        : Math.max(leadOf(this.#source, at, indent), keptEnd(node.items[index - 1], this.#source)),
    );
    const stop = Math.min(end, endOfLine(this.#source, pairRange(node.items.at(-1))[1]));
    const segments = node.items.map((pair, index): Segment => {
      const from = starts[index] ?? start;
      const to = leads[index + 1] ?? stop;
      const lead = this.#source.slice(leads[index], from);
      const body = this.#span(from, to, [parts[index] ?? { node: null, child: other }]);
      return {
        key: keyOf(pair),
        lead: index === 0 && !ownsLine ? "" : lead.slice(0, lead.length - column),
        body,
        keepsLines: this.#keepsLines,
      };
    });
    const order = inOrder(role, segments, ({ key }) => key);
    const rest = this.#source.slice(stop, end);
    const placedAll = order.map((segment, index) => {
      const isBehindKept = order[index - 1]?.keepsLines === true;
      const lead = isBehindKept ? withoutEmptyLines(segment.lead) : segment.lead;
      return placed({ ...segment, lead }, index, indent, ownsLine);
    });
    this.#keepsLines = order.at(-1)?.keepsLines === true;
    return placedAll.join("") + (this.#keepsLines ? withoutEmptyLines(rest) : rest);
  }
}

const other: ChildRole = { role: "other", isNamed: false };

// The first entry may stand behind a dash, on a line that has begun.
function placed({ lead, body }: Segment, index: number, indent: string, ownsLine: boolean): string {
  if (index > 0) return lead + indent + body;
  const comments = withoutEmptyLines(lead);
  if (ownsLine) return comments + indent + body;
  return comments === "" ? body : comments.slice(indent.length) + indent + body;
}

function withoutEmptyLines(lead: string): string {
  return lead.replace(/^(?:[ \t]*\r?\n)+/, "");
}

/** Whether a node is a block text that keeps the empty lines behind it (`|+`). */
function isKept(node: unknown, source: string): boolean {
  const start = isScalar(node) ? node.range?.[0] : undefined;
  return start !== undefined && /^[|>]\d?\+/.test(source.slice(start, start + 3));
}

/** Where an entry ends whose last text keeps the empty lines behind it; 0 for any other. */
function keptEnd(pair: Pair | undefined, source: string): number {
  let last: unknown = pair;
  while (isPair(last) || ((isMap(last) || isSeq(last)) && last.flow !== true))
    last = isPair(last) ? last.value : last.items.at(-1);
  return isKept(last, source) ? (rangeOf(last)?.[1] ?? 0) : 0;
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : "";
}

function hasPlainKeys(node: YAMLMap): boolean {
  return node.items.every(
    ({ key }) => isScalar(key) && key.anchor === undefined && key.tag === undefined && key.range,
  );
}

function rangeOf(node: unknown): readonly [number, number] | undefined {
  const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : null;
  return range ? [range[0], range[1]] : undefined;
}

/** From the key to behind the last character of the value. */
function pairRange(pair: Pair | undefined): readonly [number, number] {
  const [from, keyEnd] = rangeOf(pair?.key) ?? [0, 0];
  return [from, Math.max(keyEnd, lastOffset(pair?.value))];
}

// The range of a block collection runs into the comments behind it.
function lastOffset(node: unknown): number {
  if ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const last = node.items.at(-1);
    if (isMap(node)) return pairRange(last as Pair | undefined)[1];
    return Math.max(node.range?.[0] ?? 0, lastOffset(last));
  }
  return rangeOf(node)?.[1] ?? 0;
}

function ofItem(child: ChildRole): ChildRole {
  return child;
}

// `{react: {…}}` is a stage, `{jsonl: {…}}` an entry of a list: the role is that of the map inside.
function roleOf(node: YAMLMap, child: ChildRole): MapRole {
  if (child.isNamed || child.role === "stages") return "other";
  const isByVoice = child.role === "model" && !node.has("use") && !node.has("extends");
  return isByVoice ? "other" : child.role;
}

function roleUnder(node: YAMLMap, role: MapRole, child: ChildRole, key: string): ChildRole {
  if (child.isNamed) return { role: child.role, isNamed: false };
  if (child.role === "stages") return { role: "stage", isNamed: false };
  if (child.role === "model" && role === "other" && node.items.length > 0)
    return { role: "model", isNamed: false };
  return childRole(role, key);
}
