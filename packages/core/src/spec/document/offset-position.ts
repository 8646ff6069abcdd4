import type { ScalarNode } from "../text/spec-node.ts";

/**
 * Moves a place to an offset inside a text; `length` is how much of it is meant. The whole text stays the place where it
 * spans lines, holds escapes, or was put in by a substitution: an offset is no column there.
 */
export function atOffset(node: ScalarNode, offset: number, length: number = 1): ScalarNode {
  const quote = node.style === "quoted" ? 1 : 0;
  const value = String(node.value);
  const isAsWritten =
    node.endColumn !== undefined && node.endColumn - node.column === value.length + 2 * quote;
  if (!isAsWritten || node.fromEnv === true) return node;
  const column = node.column + quote + offset;
  return { ...node, column, endColumn: column + Math.max(1, length) };
}
