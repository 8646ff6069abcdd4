import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  visit,
  type Alias,
  type Document,
  type Node,
  type Scalar,
} from "yaml";
import type { ScalarNode } from "./spec-node.ts";

/** Maps every alias of a document to the node that its anchor named last before it. */
export function aliasTargets(document: Document, text: string): Map<Alias, Node> {
  if (!text.includes("*")) return new Map();
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Alias(_key, node) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
    },
    Value(_key, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

/** Tells how a scalar was written. */
export function styleOf(node: Scalar): ScalarNode["style"] {
  if (node.type === "BLOCK_FOLDED" || node.type === "BLOCK_LITERAL") return "block";
  return node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE" ? "quoted" : "plain";
}

/** Returns the offsets of a node, from its first character to behind its last; zeros for what has none. */
export function rangeOf(node: unknown): readonly [number, number] {
  const range =
    isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
  return range ? [range[0], range[1]] : [0, 0];
}
