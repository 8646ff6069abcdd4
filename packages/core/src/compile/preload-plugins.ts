import type { PluginKind } from "../contracts/plugin-definition.ts";
import { textOf } from "../spec/document/node-text.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import type { PluginTable } from "./plugin-table.ts";

/**
 * Asks for every plugin that a spec seems to name, so that one pass finds them all; only ids that are installed are asked
 * for, and a wrong guess costs no more than loading one.
 */
export function preloadPlugins(node: SpecNode | undefined, plugins: PluginTable): void {
  if (node?.kind === "map") scanSpec(node, { plugins, asked: new Map() });
}

interface Asking {
  readonly plugins: PluginTable;
  /** What is asked for already: a long spec names the same few again and again. */
  readonly asked: Map<PluginKind, Set<string>>;
}

function scanSpec(spec: MapNode, asking: Asking): void {
  for (const [key, { value }] of spec.entries) {
    const scan = sections[key.replace(/\+$/, "")];
    scan?.(value, asking);
  }
}

type Scan = (node: SpecNode, asking: Asking) => void;

const sections: Readonly<Record<string, Scan>> = {
  strategy: scanStages,
  strategies: scanStages,
  stages: scanStages,
  model: scanModels,
  models: scanModels,
  tools: (node, asking) => scanNamed("tool", node, asking),
  memory: (node, asking) => scanNamed("memory", node, asking),
  sinks: (node, asking) => scanNamed("sink", node, asking),
  output: scanStages,
  overlays: (node, asking) => {
    for (const value of childrenOf(node)) if (value.kind === "map") scanSpec(value, asking);
  },
};

function scanStages(node: SpecNode, asking: Asking): void {
  if (node.kind === "scalar") want("strategy", textOf(node), asking);
  else if (node.kind === "list") for (const item of node.items) scanStages(item, asking);
  else
    for (const [key, { value }] of node.entries) {
      want("strategy", key, asking);
      if (key === "checks") scanNamed("check", value, asking);
      else if (key === "model") scanModels(value, asking);
      else scanStages(value, asking);
    }
}

/** Plugins in a list (`[id, {id: options}]`) or a map (`{NAME: {use, ...options}}`). */
function scanNamed(kind: PluginKind, node: SpecNode, asking: Asking): void {
  if (node.kind === "list") {
    for (const item of node.items) {
      want(kind, textOf(item), asking);
      if (item.kind === "map") for (const key of item.entries.keys()) want(kind, key, asking);
    }
  } else if (node.kind === "map") {
    for (const [key, { value }] of node.entries) {
      const use = value.kind === "map" ? textOf(entry(value, "use")) : undefined;
      want(kind, use ?? key, asking);
    }
  }
}

/** `provider/name`, wherever it stands in a model: a stranger's provider has a slash in its own id. */
function scanModels(node: SpecNode, asking: Asking): void {
  for (const value of childrenOf(node)) scanModels(value, asking);
  const [first, second, ...rest] = (textOf(node) ?? "").split("/");
  if (second === undefined) return;
  const full = `${first}/${second}`;
  want("provider", rest.length > 0 && asking.plugins.has("provider", full) ? full : first, asking);
}

function childrenOf(node: SpecNode): readonly SpecNode[] {
  if (node.kind === "scalar") return [];
  return node.kind === "list" ? node.items : [...node.entries.values()].map(({ value }) => value);
}

function want(kind: PluginKind, id: string | undefined, { plugins, asked }: Asking): void {
  if (id === undefined) return;
  const ids = asked.get(kind) ?? new Set();
  if (ids.has(id)) return;
  asked.set(kind, ids.add(id));
  if (plugins.has(kind, id)) plugins.find(kind, id);
}
