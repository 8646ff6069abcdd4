import type { ScalarNode } from "../text/spec-node.ts";

/**
 * Moves a place to an offset inside a text; `length` is how much of it is meant. The whole text stays the place where a
 * quoted or plain text spans lines, holds escapes, or was put in by a substitution: an offset is no column there.
 */
export function atOffset(node: ScalarNode, offset: number, length: number = 1): ScalarNode {
  if (node.fromEnv === true) return node;
  if (node.blockLines !== undefined) return inBlock(node, node.blockLines, offset, length);
  const quote = node.style === "quoted" ? 1 : 0;
  const value = String(node.value);
  const isAsWritten =
    node.endColumn !== undefined && node.endColumn - node.column === value.length + 2 * quote;
  if (!isAsWritten) return node;
  const column = node.column + quote + offset;
  return { ...node, column, endColumn: column + Math.max(1, length) };
}

function inBlock(
  node: ScalarNode,
  starts: readonly number[],
  offset: number,
  length: number,
): ScalarNode {
  const index = lineOf(starts, offset);
  if (index === -1) return node;
  const column = (node.blockIndent ?? 0) + offset - (starts[index] ?? 0) + 1;
  return {
    ...node,
    line: node.line + 1 + index,
    column,
    endColumn: column + Math.max(1, length),
  };
}

// The last line that begins at or before the offset; empty lines have no begin of their own.
function lineOf(starts: readonly number[], offset: number): number {
  let [low, high, found] = [0, starts.length - 1, -1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    let index = middle;
    while (index >= low && (starts[index] ?? -1) < 0) index -= 1;
    if (index < low) low = middle + 1;
    else if ((starts[index] ?? 0) <= offset) {
      found = index;
      low = middle + 1;
    } else high = index - 1;
  }
  return found;
}
