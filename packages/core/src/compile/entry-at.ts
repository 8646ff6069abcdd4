import { nameOf } from "../spec/document/named-form.ts";
import type { ListNode, MapEntry, SpecNode } from "../spec/text/spec-node.ts";

/** The names of what a node holds. */
export function namesIn(node: SpecNode | undefined): readonly string[] {
  if (node?.kind === "map") return [...node.entries.keys()];
  return node?.kind === "list" ? node.items.map((item, at) => nameOf(item) ?? String(at)) : [];
}

/** A value and what it replaced. */
export type Found = Pick<MapEntry, "value" | "was" | "earlier">;

/** What stands at a path below a node, or undefined. */
export function entryAt(node: SpecNode, keys: readonly string[]): Found | undefined {
  let found: Found | undefined;
  let current: SpecNode = node;
  for (const key of keys) {
    if (current.kind === "scalar") return undefined;
    found = current.kind === "map" ? current.entries.get(key) : itemAt(current, key);
    if (found === undefined) return undefined;
    current = found.value;
  }
  return found;
}

/** An item of a list by its number, or by the id that it names. */
function itemAt({ items }: ListNode, key: string): Found | undefined {
  const item = /^\d+$/.test(key)
    ? items[Number(key)]
    : items.find((candidate) => nameOf(candidate) === key);
  if (item === undefined) return undefined;
  const inner = item.kind === "map" ? item.entries.get(key) : undefined;
  return inner ?? { value: item };
}
