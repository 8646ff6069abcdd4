import type { Diagnostics } from "../text/diagnostic.ts";
import type { ListNode, MapEntry, MapNode, SpecNode } from "../text/spec-node.ts";
import { emptyMap } from "./named-entries.ts";
import { shownValue, textOf } from "./node-text.ts";

/** The sections that take a list of ids, or a map of names. */
export const namedSections: ReadonlySet<string> = new Set(["tools", "memory", "sinks"]);

/** The map form of a list of ids; undefined where an item is no id with options. */
export function mapFormOf(list: ListNode): MapNode | undefined {
  const entries = new Map<string, MapEntry>();
  for (const item of list.items) {
    const said = entryOf(item);
    if (said === undefined) return undefined;
    if (!entries.has(said.key.text)) entries.set(said.key.text, said);
  }
  return { ...emptyMap(list), ...overlayOf(list), entries };
}

/** The name of an item of a list: an id, the one key of a map, or the text of a rule or constraint. */
export function nameOf(item: SpecNode): string | undefined {
  if (item.kind === "list") return undefined;
  if (item.kind === "scalar") return textOf(item);
  const [first, ...rest] = item.entries.values();
  if (first !== undefined && rest.length === 0) return first.key.text;
  for (const key of ["id", "name", "text"]) {
    const name = textOf(item.entries.get(key)?.value);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Brings a list to the map form, or says which item has none. */
export function requireMapForm(list: ListNode, diagnostics: Diagnostics): MapNode | undefined {
  const map = mapFormOf(list);
  if (map !== undefined) return map;
  for (const item of list.items) {
    if (entryOf(item) !== undefined) continue;
    diagnostics.error(
      "LW-VALUE-MAP-EXPECTED",
      item,
      `an entry of a list is a plugin's id, or a map with the id as its one key, not ${shownValue(item)}`,
      "write `- id` or `- id: { ... }`",
    );
  }
  return undefined;
}

function entryOf(item: SpecNode): MapEntry | undefined {
  if (item.kind === "list") return undefined;
  if (item.kind === "scalar") {
    if (textOf(item) === undefined) return undefined;
    const key = { ...item, text: String(item.value) };
    return { key, value: { ...emptyMap(item), ...overlayOf(item) } };
  }
  const [only, ...rest] = item.entries.values();
  if (only === undefined || rest.length > 0 || only.value.kind !== "map") return undefined;
  return only.value.entries.has("use") ? undefined : only;
}

function overlayOf({ overlay }: SpecNode): { readonly overlay?: string } {
  return overlay === undefined ? {} : { overlay };
}
