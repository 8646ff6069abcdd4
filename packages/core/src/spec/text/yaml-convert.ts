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
  lostNode,
  maxDepth,
  type ListNode,
  type MapEntry,
  type MapNode,
  type ScalarNode,
  positionOf,
  scalarNode,
  type SpecNode,
} from "./spec-node.ts";
import { commaTrapInList, commaTrapInMap, type CutTexts, nothingCut } from "./yaml-commas.ts";
import { duplicateKey, faultOfKey, noKey, textOfKey } from "./yaml-key.ts";
import { readYamlScalar } from "./yaml-scalar.ts";
import { aliasTargets, rangeOf, styleOf } from "./yaml-nodes.ts";
import { tooDeep, type YamlFinding } from "./yaml-finding.ts";
import { isMissing, missingItem, missingValue } from "./yaml-missing.ts";

/** What the conversion of one document needs to know. */
export interface ConvertOptions {
  readonly text: string;
  /** Turns a range of offsets into a place in the file. */
  position(start: number, end: number): Position;
  report(finding: YamlFinding): void;
  /** Where the text was masked: a value there is lost. */
  readonly spoiled: readonly { readonly start: number; readonly end: number }[];
  /** How many values the file has so far. */
  readonly counted: { values: number };
  /** Where the document stands in the file: the path of what holds it, and of a list's items the index of the first. */
  readonly within?: { readonly path: string; readonly depth: number; readonly firstIndex: number };
}

/** How many values a file may hold, its aliases expanded. */
export const maxValues: number = 50_000;

const outermost = { path: "", depth: 0, firstIndex: 0 };

/** Turns a parsed YAML document into nodes and reports everything a spec does not allow; a key that is reported is left out, a value stands as lost. */
export function convertDocument(document: Document, options: ConvertOptions): SpecNode {
  const { path, depth } = options.within ?? outermost;
  return new Converter(document, options).convert(document.contents, path, depth);
}

class Converter {
  readonly #options: ConvertOptions;
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #open = new Set<Node>();

  constructor(document: Document, options: ConvertOptions) {
    this.#options = options;
    this.#targets = aliasTargets(document, options.text);
  }

  convert(node: unknown, path: string, depth: number): SpecNode {
    const { counted } = this.#options;
    counted.values += 1;
    if (counted.values > maxValues + 1) return this.#lost(node, path);
    if (counted.values > maxValues) {
      const [start, end] = rangeOf(node);
      const message = `the file has, with its aliases expanded, more than ${maxValues} values`;
      const suggestion = "use fewer aliases, or move values to files of their own";
      this.#options.report({ code: "LW-YAML-ALIAS-EXPANSION", start, end, message, suggestion });
      return this.#lost(node, path);
    }
    if (depth > maxDepth) {
      const [start] = rangeOf(node);
      this.#options.report(tooDeep(start, start));
      return this.#lost(node, path);
    }
    if (isAlias(node)) return this.#alias(node, path, depth);
    if (isMap(node)) return this.#map(node, path, depth);
    if (isSeq(node)) return this.#list(node, path, depth);
    return isScalar(node) ? this.#scalar(node, path) : this.#lost(node, path);
  }

  #lost(node: unknown, path: string): ScalarNode {
    return lostNode(this.#options.position(...rangeOf(node)), path);
  }

  #alias(node: Alias, path: string, depth: number): SpecNode {
    const target = this.#targets.get(node);
    const [start, end] = rangeOf(node);
    if (target === undefined) {
      this.#options.report({
        code: "LW-YAML-ALIAS",
        start,
        end,
        message: `no anchor \`&${node.source}\` stands before this alias`,
        suggestion: `write the value out, or set \`&${node.source}\` above; quote text that starts with \`*\``,
      });
      return this.#lost(node, path);
    }
    if (this.#open.has(target)) {
      this.#options.report({
        code: "LW-YAML-ALIAS",
        start,
        end,
        message: `the alias \`*${node.source}\` stands inside its own anchor`,
        suggestion: "write the value out",
      });
      return this.#lost(node, path);
    }
    return this.convert(target, path, depth);
  }

  #list(node: YAMLSeq, path: string, depth: number): ListNode {
    this.#open.add(node);
    const { texts } = node.flow === true ? commaTrapInList(node, this.#options) : nothingCut;
    const items: SpecNode[] = [];
    let index = depth === this.#options.within?.depth ? this.#options.within.firstIndex - 1 : -1;
    for (const item of node.items) {
      index += 1;
      const at = childPath(path, index);
      if (isMissing(item)) items.push(this.#lostItem(item, node, at));
      else items.push(texts.has(item) ? this.#lost(item, at) : this.convert(item, at, depth + 1));
    }
    this.#open.delete(node);
    return { ...this.#position(node), kind: "list", path, items };
  }

  #map(node: YAMLMap, path: string, depth: number): MapNode {
    this.#open.add(node);
    const entries = new Map<string, MapEntry>();
    const cut: CutTexts = node.flow === true ? commaTrapInMap(node, this.#options) : nothingCut;
    let index = -1;
    for (const pair of node.items) {
      index += 1;
      if (cut.rests.has(pair)) continue;
      const key = this.#key(pair, path);
      if (key === undefined) continue;
      const first = entries.get(key.text);
      if (first !== undefined) {
        const [start, end] = rangeOf(pair.key);
        this.#options.report({ ...duplicateKey(key.text, first.key.line), start, end });
        continue;
      }
      const { value: said } = pair;
      // A word alone inside braces may be a key that waits for its value, or the rest of a text.
      if (node.flow === true && (said === null || said === undefined)) {
        this.#lostValue(node, index, key);
        continue;
      }
      const value = isMissing(said)
        ? this.#lostValue(node, index, key)
        : cut.texts.has(said)
          ? this.#lost(said, key.path)
          : this.convert(said, key.path, depth + 1);
      entries.set(key.text, { key, value });
    }
    this.#open.delete(node);
    return { ...this.#position(node), kind: "map", path, entries };
  }

  #key(pair: Pair, path: string): ScalarNode | undefined {
    const [start, end] = rangeOf(pair.key);
    const key = isScalar(pair.key) && !isMissing(pair.key) ? pair.key : undefined;
    const text = key === undefined ? "" : textOfKey(key);
    if (this.#isSpoiled(start, end)) return undefined;
    const fault = faultOfKey(key, text, path);
    if (key === undefined || fault !== undefined) {
      const { offset = 0, ...told } = fault ?? noKey;
      this.#options.report({ ...told, start: start + offset, end });
      return undefined;
    }
    const style = styleOf(key);
    const at = this.#options.position(start, end);
    return scalarNode(at, { path: childPath(path, text), value: text, text, style });
  }

  #scalar(node: Scalar, path: string): ScalarNode {
    const [start, end] = rangeOf(node);
    if (this.#isSpoiled(start, end)) return this.#lost(node, path);
    const read = readYamlScalar(node);
    if (!read.ok) {
      this.#options.report({
        code: "LW-YAML-NUMBER",
        start,
        end,
        message: read.message,
        suggestion: read.suggestion,
      });
      return this.#lost(node, path);
    }
    const { value } = read;
    const at = this.#options.position(start, end);
    const text = node.source ?? String(value);
    const scalar = scalarNode(at, { path, value, text, style: styleOf(node) });
    const layout = this.#blockLayout(node, start, end);
    return layout === undefined ? scalar : { ...scalar, ...layout };
  }

  #isSpoiled(start: number, end: number): boolean {
    const { spoiled } = this.#options;
    return spoiled.some((trap) => trap.start < end && start < trap.end);
  }

  #blockLayout(node: Scalar, start: number, end: number): BlockLayout | undefined {
    if (styleOf(node) !== "block" || typeof node.value !== "string") return undefined;
    return layoutOfBlock(this.#options.text.slice(start, end), node.value);
  }

  #lostItem(item: unknown, list: YAMLSeq, path: string): ScalarNode {
    const finding = missingItem(item, list);
    this.#options.report(finding);
    return lostNode(this.#options.position(finding.start, finding.end), path);
  }

  #lostValue(map: YAMLMap, index: number, key: ScalarNode): ScalarNode {
    this.#options.report(missingValue(map, index, key.text));
    return lostNode(positionOf(key), key.path);
  }

  #position(node: Node): Position {
    return this.#options.position(node.range?.[0] ?? 0, node.range?.[1] ?? 0);
  }
}
