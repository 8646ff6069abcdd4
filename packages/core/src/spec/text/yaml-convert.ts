import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Document,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { layoutOfBlock, type BlockLayout } from "./block-offsets.ts";
import type { Position } from "./position.ts";
import {
  childPath,
  maxDepth,
  type ListNode,
  type MapEntry,
  type MapNode,
  type ScalarNode,
  type SpecNode,
} from "./spec-node.ts";
import { commaTrapInList, commaTrapInMap, type BareKeys } from "./yaml-commas.ts";
import { faultOfKey, noKey, textOfKey } from "./yaml-key.ts";
import { readYamlScalar } from "./yaml-scalar.ts";
import { aliasTargets, rangeOf, styleOf } from "./yaml-nodes.ts";
import type { YamlFinding } from "./yaml-finding.ts";

/** What the conversion of one document needs to know. */
export interface ConvertOptions {
  readonly text: string;
  /** Turns a range of offsets into a place in the file. */
  position(start: number, end: number): Position;
  report(finding: YamlFinding): void;
}

const maxNodes = 50_000;
const nothingCutOff: BareKeys = new Set();

/** Turns a parsed YAML document into nodes and reports everything a spec does not allow; what is reported is left out. */
export function convertDocument(document: Document, options: ConvertOptions): SpecNode | undefined {
  return new Converter(document, options).convert(document.contents, "", 0);
}

class Converter {
  readonly #options: ConvertOptions;
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #open = new Set<Node>();
  #nodeCount = 0;

  constructor(document: Document, options: ConvertOptions) {
    this.#options = options;
    this.#targets = aliasTargets(document, options.text);
  }

  convert(node: unknown, path: string, depth: number): SpecNode | undefined {
    this.#nodeCount += 1;
    if (this.#nodeCount > maxNodes) return undefined;
    if (this.#nodeCount === maxNodes) {
      const [start, end] = rangeOf(node);
      const message = `the file has, with its aliases expanded, more than ${maxNodes} values`;
      this.#options.report({ code: "LW-YAML-ALIAS-EXPANSION", start, end, message });
      return undefined;
    }
    if (depth > maxDepth) {
      const [start] = rangeOf(node);
      this.#options.report({
        code: "LW-YAML-DEPTH",
        start,
        end: start,
        message: `values are nested deeper than ${maxDepth} levels`,
      });
      return undefined;
    }
    if (isAlias(node)) return this.#alias(node, path, depth);
    if (isMap(node)) return this.#map(node, path, depth);
    if (isSeq(node)) return this.#list(node, path, depth);
    return isScalar(node) ? this.#scalar(node, path) : undefined;
  }

  #alias(node: Alias, path: string, depth: number): SpecNode | undefined {
    const target = this.#targets.get(node);
    const [start, end] = rangeOf(node);
    if (target === undefined) {
      this.#options.report({
        code: "LW-YAML-ALIAS",
        start,
        end,
        message: `no anchor \`&${node.source}\` stands before this alias`,
      });
      return undefined;
    }
    if (this.#open.has(target)) {
      this.#options.report({
        code: "LW-YAML-ALIAS",
        start,
        end,
        message: `the alias \`*${node.source}\` stands inside its own anchor`,
      });
      return undefined;
    }
    return this.convert(target, path, depth);
  }

  #list(node: YAMLSeq, path: string, depth: number): ListNode {
    this.#open.add(node);
    if (node.flow === true) commaTrapInList(node, this.#options);
    const items: SpecNode[] = [];
    let index = -1;
    for (const item of node.items) {
      index += 1;
      if (this.#isMissing(item)) this.#missingItem(item, node);
      else {
        const converted = this.convert(item, childPath(path, index), depth + 1);
        if (converted !== undefined) items.push(converted);
      }
    }
    this.#open.delete(node);
    return { ...this.#position(node), kind: "list", path, items };
  }

  #map(node: YAMLMap, path: string, depth: number): MapNode {
    this.#open.add(node);
    const entries = new Map<string, MapEntry>();
    const cutOff: BareKeys =
      node.flow === true ? commaTrapInMap(node, this.#options) : nothingCutOff;
    let index = -1;
    for (const pair of node.items) {
      index += 1;
      if (cutOff.has(pair)) continue;
      const key = this.#key(pair, path);
      if (key === undefined) continue;
      const first = entries.get(key.text);
      if (first !== undefined) {
        const [start, end] = rangeOf(pair.key);
        const message = `\`${key.text}\` is written twice; YAML would silently keep one of them`;
        this.#options.report({
          code: "LW-YAML-DUPLICATE-KEY",
          start,
          end,
          message,
          notes: [`the first stands in line ${first.key.line}`],
        });
        continue;
      }
      if (this.#isMissing(pair.value)) this.#missingValue(node, index, key);
      else {
        const value = this.convert(pair.value, key.path, depth + 1);
        if (value !== undefined) entries.set(key.text, { key, value });
      }
    }
    this.#open.delete(node);
    return { ...this.#position(node), kind: "map", path, entries };
  }

  #key(pair: Pair, path: string): ScalarNode | undefined {
    const [start, end] = rangeOf(pair.key);
    const key = isScalar(pair.key) && !this.#isMissing(pair.key) ? pair.key : undefined;
    const text = key === undefined ? "" : textOfKey(key);
    const fault = faultOfKey(key, text, path);
    if (key === undefined || fault !== undefined) {
      const { offset = 0, ...told } = fault ?? noKey;
      this.#options.report({ ...told, start: start + offset, end });
      return undefined;
    }
    return {
      ...this.#position(key),
      kind: "scalar",
      path: childPath(path, text),
      value: text,
      text,
      style: styleOf(key),
    };
  }

  #scalar(node: Scalar, path: string): ScalarNode | undefined {
    const [start, end] = rangeOf(node);
    const read = readYamlScalar(node);
    if (!read.ok) {
      this.#options.report({
        code: "LW-YAML-NUMBER",
        start,
        end,
        message: read.message,
        suggestion: read.suggestion,
      });
      return undefined;
    }
    const scalar: ScalarNode = {
      ...this.#options.position(start, end),
      kind: "scalar",
      path,
      value: read.value,
      text: node.source ?? String(read.value),
      style: styleOf(node),
    };
    const layout = this.#blockLayout(node, start, end);
    return layout === undefined ? scalar : { ...scalar, ...layout };
  }

  #blockLayout(node: Scalar, start: number, end: number): BlockLayout | undefined {
    if (styleOf(node) !== "block" || typeof node.value !== "string") return undefined;
    return layoutOfBlock(this.#options.text.slice(start, end), node.value);
  }

  #isMissing(node: unknown): boolean {
    return node === null || node === undefined || (isScalar(node) && node.value === null);
  }

  #missingItem(item: unknown, list: YAMLSeq): void {
    const [start, end] = item === null || item === undefined ? rangeOf(list) : rangeOf(item);
    const message = "this list item is empty; specs know no null";
    this.#options.report({
      code: "LW-YAML-NULL",
      start,
      end,
      message,
      suggestion: "write the value, or delete the dash",
    });
  }

  #missingValue(map: YAMLMap, index: number, key: ScalarNode): void {
    const [start, end] = rangeOf(map.items[index]?.key);
    const isWritten = isScalar(map.items[index]?.value) && map.items[index].value.source !== "";
    const next = map.items[index + 1]?.key;
    const sibling =
      map.flow !== true && !isWritten && isScalar(next) ? String(next.value) : undefined;
    const message = `\`${key.text}\` has no value; specs know no null`;
    if (sibling !== undefined && index === 0 && map.items.length > 1) {
      const note = `\`${sibling}\` stands beside \`${key.text}\`, not inside it`;
      this.#options.report({
        code: "LW-YAML-NULL",
        start,
        end,
        message,
        suggestion: `if \`${sibling}\` belongs to \`${key.text}\`, indent it by 2 more`,
        notes: [note],
      });
      return;
    }
    const suggestion = `give \`${key.text}\` a value or delete the line; empty text is "", an empty map {}, an empty list []`;
    this.#options.report({ code: "LW-YAML-NULL", start, end, message, suggestion });
  }

  #position(node: Node): Position {
    return this.#options.position(node.range?.[0] ?? 0, node.range?.[1] ?? 0);
  }
}
