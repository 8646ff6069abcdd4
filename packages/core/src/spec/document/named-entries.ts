import type { Diagnostics } from "../text/diagnostic.ts";
import { type MapEntry, type MapNode, type ScalarNode, type SpecNode } from "../text/spec-node.ts";
import { labelOf, shownValue, textOf } from "./node-text.ts";
import { readText } from "./read-scalar.ts";

/** A tool, memory or sink of the spec: its name there, the plugin it uses, and everything else said about it. */
export interface NamedEntry {
  readonly name: string;
  /** Where the name stands. */
  readonly at: ScalarNode;
  /** The plugin's id and where it is said. */
  readonly use: { readonly id: string; readonly at: SpecNode };
  /** Without `use`. */
  readonly body: MapNode;
}

/** Reads `tools`, `memory` or `sinks`, as a list (`[id, {id: options}]`) or as a map (`{NAME: {use, ...options}}`); `nearest` finds the plugin's id that a misspelt one means. */
export function readNamedEntries(
  node: SpecNode,
  diagnostics: Diagnostics,
  nearest: (id: string) => string | undefined = () => undefined,
): readonly NamedEntry[] {
  const entries =
    node.kind === "map"
      ? fromMap(node, diagnostics)
      : node.kind === "list"
        ? fromList(node.items, labelOf(node), diagnostics)
        : [];
  if (node.kind === "scalar") {
    const message = `\`${labelOf(node)}\` is a list or a map, not ${shownValue(node)}`;
    diagnostics.error(
      "LW-VALUE-LIST-EXPECTED",
      node,
      message,
      `write \`${labelOf(node)}: [${nearest(node.text) ?? node.text}]\``,
    );
  }
  return withoutClashes(entries, diagnostics);
}

function fromMap(node: MapNode, diagnostics: Diagnostics): readonly NamedEntry[] {
  return [...node.entries.values()].flatMap(({ key, value }): NamedEntry[] => {
    if (value.kind !== "map") {
      const repair =
        textOf(value) === undefined
          ? `write \`${key.text}: { use: ID }\``
          : `write \`${key.text}: { use: ${textOf(value) ?? ""} }\``;
      diagnostics.error(
        "LW-VALUE-MAP-EXPECTED",
        value,
        `\`${key.text}\` is a map of options, not ${shownValue(value)}`,
        repair,
      );
      return [];
    }
    const written = value.entries.get("use")?.value;
    const id = written === undefined ? key.text : readText(written, diagnostics);
    if (id === undefined) return [];
    return [
      { name: key.text, at: key, use: { id, at: written ?? key }, body: without(value, ["use"]) },
    ];
  });
}

function fromList(
  items: readonly SpecNode[],
  section: string,
  diagnostics: Diagnostics,
): readonly NamedEntry[] {
  return items.flatMap((item): NamedEntry[] => {
    if (item.kind === "scalar") {
      const id = readText(item, diagnostics);
      return id === undefined
        ? []
        : [{ name: id, at: item, use: { id, at: item }, body: emptyMap(item) }];
    }
    const [first, ...rest] = item.kind === "map" ? item.entries.values() : [];
    if (first === undefined || rest.length > 0) {
      const message = "an entry of a list is a plugin's id, or a map with the id as its one key";
      const repair =
        first === undefined
          ? "write `- ID` or `- ID: { OPTION: ... }`"
          : `write \`- ${first.key.text}: { ... }\` with the options inside`;
      diagnostics.error("LW-VALUE-MAP-EXPECTED", item, message, repair);
      return [];
    }
    const { key, value } = first;
    if (value.kind === "map") {
      const use = value.entries.get("use");
      const id = textOf(use?.value);
      if (use !== undefined) {
        const message = "in a list the key is the plugin's id; `use` belongs to the map form";
        diagnostics.error(
          "LW-SPEC-EXCLUSIVE-KEYS",
          use.key,
          message,
          `write \`${section}: { ${key.text}: { use: ${id ?? "ID"} } }\``,
        );
      }
      const plugin =
        use === undefined || id === undefined ? { id: key.text, at: key } : { id, at: use.value };
      return [{ name: key.text, at: key, use: plugin, body: without(value, ["use"]) }];
    }
    diagnostics.error(
      "LW-VALUE-MAP-EXPECTED",
      value,
      `the options of \`${key.text}\` are a map, not ${shownValue(value)}`,
      `write \`${key.text}: { OPTION: ${value.kind === "scalar" ? value.text : "[...]"} }\``,
    );
    return [];
  });
}

function withoutClashes(
  entries: readonly NamedEntry[],
  diagnostics: Diagnostics,
): readonly NamedEntry[] {
  const seen = new Map<string, NamedEntry>();
  for (const entry of entries) {
    const first = seen.get(entry.name);
    if (first === undefined) seen.set(entry.name, entry);
    else {
      const message = `\`${entry.name}\` is listed twice; the first stands in line ${first.at.line}`;
      diagnostics.error(
        "LW-SPEC-ID-CLASH",
        entry.at,
        message,
        "use the map form and give each a name of its own",
      );
    }
  }
  return [...seen.values()];
}

/** A map without some of its keys. */
export function without(node: MapNode, keys: readonly string[]): MapNode {
  return keep(node, (key) => !keys.includes(key));
}

/** A map with only some of its keys. */
export function only(node: MapNode, keys: readonly string[]): MapNode {
  return keep(node, (key) => keys.includes(key));
}

function keep(node: MapNode, isKept: (key: string) => boolean): MapNode {
  const entries = new Map<string, MapEntry>();
  for (const [key, said] of node.entries) if (isKept(key)) entries.set(key, said);
  return { ...node, entries };
}

/** An empty map where something else stands. */
export function emptyMap(at: SpecNode): MapNode {
  const { file, line, column, endColumn, path } = at;
  const place =
    endColumn === undefined ? { file, line, column } : { file, line, column, endColumn };
  return { kind: "map", ...place, path, entries: new Map() };
}
