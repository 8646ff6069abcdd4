import type { MapNode, SpecNode } from "./spec-node.ts";

// Several readers look through a whole spec for the few places that hold one, and its lists and maps never change.
const known = new WeakMap<SpecNode, boolean>();

/** Whether some text at or below a node holds `${`, so that something may be put in there. */
export function holdsSubstitution(node: SpecNode): boolean {
  if (node.kind === "scalar") return typeof node.value === "string" && node.value.includes("${");
  const before = known.get(node);
  if (before !== undefined) return before;
  const found = node.kind === "list" ? node.items.some(holdsSubstitution) : isInMap(node);
  known.set(node, found);
  return found;
}

function isInMap({ entries }: MapNode): boolean {
  for (const { value } of entries.values()) if (holdsSubstitution(value)) return true;
  return false;
}
