import type { MapEntry, SpecNode } from "./spec-node.ts";

/** How far a value of a file moved: in rows, and from one path to another. */
export interface Move {
  readonly rows: number;
  /** The beginnings of the paths that are replaced. */
  readonly from: string;
  readonly to: string;
}

/** Returns a value at another place, with everything inside; the value itself where nothing moved. */
export function movedNode<N extends SpecNode>(node: N, move: Move): N {
  return move.rows === 0 && move.from === move.to ? node : (moved(node, move) as N);
}

function moved(node: SpecNode, move: Move): SpecNode {
  const { from, to, rows } = move;
  const place = {
    line: node.line + rows,
    path: node.path.startsWith(from) ? to + node.path.slice(from.length) : node.path,
  };
  if (node.kind === "scalar") return { ...node, ...place };
  if (node.kind === "list")
    return { ...node, ...place, items: node.items.map((item) => moved(item, move)) };
  const entries = new Map<string, MapEntry>();
  for (const [key, { key: at, value }] of node.entries)
    entries.set(key, { key: moved(at, move) as MapEntry["key"], value: moved(value, move) });
  return { ...node, ...place, entries };
}
