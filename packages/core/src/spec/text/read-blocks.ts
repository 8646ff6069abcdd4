import { movedNode } from "./moved-node.ts";
import { type BlockPlace, type PlacedFinding, type ReadBlock, readBlock } from "./read-block.ts";
import {
  childPath,
  type ListNode,
  lostNode,
  type MapEntry,
  type MapNode,
  positionOf,
  type ScalarNode,
  type SpecNode,
} from "./spec-node.ts";
import type { EntryBlock, ItemBlock, ListBlocks } from "./yaml-blocks.ts";
import { maxValues } from "./yaml-convert.ts";
import { duplicateKey } from "./yaml-key.ts";
import { strayLine } from "./yaml-indents.ts";
import type { KnownBlock, YamlMemory } from "./yaml-memory.ts";

/** What a file holds, as far as it can be read. */
export interface ReadYaml {
  /** Missing where nothing of it can be read. */
  readonly node?: SpecNode;
  /** The outermost keys in which something is lost; `*` where that may be any. */
  readonly lost: ReadonlySet<string>;
}

/** What a file holds, and what is wrong with it. */
export interface ReadParts extends ReadYaml {
  readonly findings: readonly PlacedFinding[];
}

/**
 * Reads the blocks of a file, each by itself: a fault in one leaves the others, and what is known from memory is not read
 * again. Undefined where anchors reach across them.
 */
export function readBlocks(
  blocks: readonly EntryBlock[],
  file: string,
  memory: YamlMemory,
): ReadParts | undefined {
  return new BlockReader(file, memory).read(blocks);
}

class BlockReader {
  readonly #file: string;
  readonly #memory: YamlMemory;
  readonly #known: ReadonlyMap<string, KnownBlock>;
  readonly #kept = new Map<string, KnownBlock>();
  readonly #counted = { values: 0 };
  readonly #findings: PlacedFinding[] = [];
  readonly #lost = new Set<string>();
  #hasAnchors = false;

  constructor(file: string, memory: YamlMemory) {
    this.#file = file;
    this.#memory = memory;
    this.#known = memory.of(file);
  }

  read(blocks: readonly EntryBlock[]): ReadParts | undefined {
    const entries = new Map<string, MapEntry>();
    for (const block of blocks) {
      const listed = this.#listEntry(block);
      const found = listed === undefined ? this.#entriesOf(block) : [listed];
      if (this.#hasAnchors) return undefined;
      for (const entry of found) this.#add(entry, entries);
    }
    this.#memory.keep(this.#file, this.#kept);
    const at = { file: this.#file, line: 1 + firstRow(blocks), column: 1 };
    const node: MapNode = { ...at, kind: "map", path: "", entries };
    return { node, findings: this.#findings, lost: this.#lost };
  }

  #add(entry: MapEntry, entries: Map<string, MapEntry>): void {
    const { text, file, line, column, endColumn = column } = entry.key;
    const first = entries.get(text);
    if (first === undefined) {
      entries.set(text, entry);
      return;
    }
    this.#lost.add(text);
    const at = { file, line, column, endColumn };
    this.#findings.push({ ...duplicateKey(text, first.key.line), at });
  }

  /** The entry of a block as a whole: usually one, as lost where its value can't be read. */
  #entriesOf({ text, row }: EntryBlock): readonly MapEntry[] {
    const known = this.#recall({ text, row, path: "", index: 0 });
    if (known?.kind === "map") return [...known.entries.values()];
    const before = this.#counted.values;
    const { node, findings } = this.#read(text, row);
    const key = keyOf(text, row, this.#file);
    if (node?.kind === "map") {
      const place = { row, path: "", firstIndex: 0 };
      if (findings.length === 0) this.#remember(text, { ...place, node }, before);
      else
        for (const name of node.entries.size === 0 ? ["*"] : node.entries.keys())
          this.#lost.add(name);
      return [...node.entries.values()];
    }
    if (node !== undefined && !("isUnset" in node))
      this.#findings.push({ ...noEntry, ...apartFrom(text), at: positionOf(node) });
    this.#lost.add(key?.text ?? "*");
    this.#loseKeysIn(text);
    return key === undefined ? [] : [{ key, value: lostNode(positionOf(key), key.text) }];
  }

  /** The entry of a block whose list is read item by item; undefined where that can't be done. */
  #listEntry({ list }: EntryBlock): MapEntry | undefined {
    if (list === undefined) return undefined;
    const { key: name, row, indent, items: blocks } = list;
    const [first] = blocks;
    if (first === undefined) return undefined;
    const items: SpecNode[] = [];
    for (const [index, block] of blocks.entries()) items.push(this.#item(block, index, list));
    const file = this.#file;
    const at = { file, line: first.row + 1, column: indent + 1 };
    const value: ListNode = { ...at, kind: "list", path: name, items };
    return { key: keyNode(name, row, file), value };
  }

  #item({ text, row, strayFrom }: ItemBlock, index: number, list: ListBlocks): SpecNode {
    const { key, indent } = list;
    if (strayFrom !== undefined) this.#stray(text, row, strayFrom, list);
    const known = this.#recall({ text, row, path: key, index });
    if (known !== undefined) return known;
    const before = this.#counted.values;
    const within = { path: key, depth: 1, firstIndex: index };
    const isItem = strayFrom === undefined || /^\s*-\s/.test(text);
    const { node, findings } = isItem ? this.#read(text, row, within) : nothingRead;
    const item = node?.kind === "list" ? node.items[0] : undefined;
    if (item !== undefined && findings.length === 0) {
      this.#remember(text, { row, path: key, firstIndex: index, node: item }, before);
      return item;
    }
    this.#lost.add(key);
    const at = { file: this.#file, line: row + 1, column: indent + 1 };
    return item ?? lostNode(at, childPath(key, index));
  }

  /** A line that belongs to no block; what stands in it may be meant for another part of the spec. */
  #stray(text: string, row: number, above: string, { key, indent }: ListBlocks): void {
    const { start, end, ...told } = strayLine(above + text, above.length);
    const at = { file: this.#file, line: row + 1 };
    const isDash = /^\s*-\s/.test(text);
    this.#findings.push({
      ...told,
      ...(isDash ? { suggestion: `indent it by ${indent}, like the other items` } : {}),
      at: { ...at, column: start - above.length + 1, endColumn: end - above.length + 1 },
    });
    this.#lost.add(key);
    this.#loseKeysIn(text);
  }

  /** A key that is indented by mistake is part of the block above it. */
  #loseKeysIn(text: string): void {
    for (const [, inner = ""] of text.matchAll(/^[ \t]+([A-Za-z][\w-]*)[+-]?[ \t]*:/gm))
      this.#lost.add(inner);
  }

  #read(text: string, row: number, within?: BlockPlace["within"]): ReadBlock {
    const place = { file: this.#file, text, row, counted: this.#counted };
    const read = readBlock(within === undefined ? place : { ...place, within });
    this.#hasAnchors ||= read.hasAnchors;
    this.#findings.push(...read.findings);
    return read;
  }

  #recall({ text, row, path, index }: Place): SpecNode | undefined {
    const known = this.#known.get(text);
    if (known === undefined || this.#counted.values + known.values >= maxValues) return undefined;
    if ((known.path === "") !== (path === "")) return undefined;
    const node = movedNode(known.node, {
      rows: row - known.row,
      from: known.path === "" ? "" : childPath(known.path, known.firstIndex),
      to: path === "" ? "" : childPath(path, index),
    });
    this.#counted.values += known.values;
    this.#kept.set(text, { node, row, path, firstIndex: index, values: known.values });
    return node;
  }

  #remember(text: string, block: Omit<KnownBlock, "values">, before: number): void {
    this.#kept.set(text, { ...block, values: this.#counted.values - before });
  }
}

interface Place {
  readonly text: string;
  readonly row: number;
  readonly path: string;
  readonly index: number;
}

const nothingRead: Pick<ReadBlock, "node" | "findings"> = { findings: [] };

const noEntry = {
  code: "LW-YAML-INDENT",
  message: "this line is no `key: value`",
  suggestion: "check its indentation, or write a `:` behind the key",
} as const;

/** The repair of a key whose colon has no space behind it. */
function apartFrom(text: string): { readonly message?: string; readonly suggestion?: string } {
  const [, key, value] = /^([A-Za-z][\w-]*):(\S.*)$/m.exec(text.trim()) ?? [];
  if (key === undefined || value === undefined) return {};
  const message = `\`${key}:\` lacks a space behind its colon, so YAML reads the line as one word`;
  return { message, suggestion: `write \`${key}: ${value}\`` };
}

function keyNode(text: string, row: number, file: string): ScalarNode {
  const at = { file, line: row + 1, column: 1, endColumn: text.length + 1 };
  return { ...at, kind: "scalar", path: text, value: text, text, style: "plain" };
}

/** The key that a block begins with, where it is a plain word. */
function keyOf(text: string, row: number, file: string): ScalarNode | undefined {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => !/^\s*(?:#|$)/.test(line));
  const key = /^([A-Za-z][\w-]*)[ \t]*:/.exec(lines[first] ?? "")?.[1];
  return key === undefined ? undefined : keyNode(key, row + first, file);
}

function firstRow([block]: readonly EntryBlock[]): number {
  const lines = block?.text.split("\n") ?? [];
  return Math.max(
    0,
    lines.findIndex((line) => !/^\s*(?:#|$)/.test(line)),
  );
}
