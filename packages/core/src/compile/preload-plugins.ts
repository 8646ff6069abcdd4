import type { PluginKind } from "../contracts/plugin-definition.ts";
import { textOf } from "../spec/document/node-text.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import type { PluginTable } from "./plugin-table.ts";

/**
 * Asks for every plugin that a spec seems to name, so that one pass finds them all; only ids that are installed are asked
 * for, and a wrong guess costs no more than loading one.
 */
export function preloadPlugins(node: SpecNode | undefined, plugins: PluginTable): void {
  if (node?.kind === "map") scanSpec(node, plugins);
}

function scanSpec(spec: MapNode, plugins: PluginTable): void {
  for (const [key, { value }] of spec.entries) {
    const scan = sections[key.replace(/\+$/, "")];
    scan?.(value, plugins);
  }
}

type Scan = (node: SpecNode, plugins: PluginTable) => void;

const sections: Readonly<Record<string, Scan>> = {
  strategy: scanStages,
  strategies: scanStages,
  stages: scanStages,
  model: scanModels,
  models: scanModels,
  tools: (node, plugins) => scanNamed("tool", node, plugins),
  memory: (node, plugins) => scanNamed("memory", node, plugins),
  sinks: (node, plugins) => scanNamed("sink", node, plugins),
  output: scanStages,
  overlays: (node, plugins) => {
    for (const value of childrenOf(node)) if (value.kind === "map") scanSpec(value, plugins);
  },
};

function scanStages(node: SpecNode, plugins: PluginTable): void {
  if (node.kind === "scalar") want("strategy", textOf(node), plugins);
  else if (node.kind === "list") for (const item of node.items) scanStages(item, plugins);
  else
    for (const [key, { value }] of node.entries) {
      want("strategy", key, plugins);
      if (key === "checks") scanNamed("check", value, plugins);
      else if (key === "model") scanModels(value, plugins);
      else scanStages(value, plugins);
    }
}

/** Plugins in a list (`[id, {id: options}]`) or a map (`{NAME: {use, ...options}}`). */
function scanNamed(kind: PluginKind, node: SpecNode, plugins: PluginTable): void {
  if (node.kind === "list") {
    for (const item of node.items) {
      want(kind, textOf(item), plugins);
      if (item.kind === "map") for (const key of item.entries.keys()) want(kind, key, plugins);
    }
  } else if (node.kind === "map") {
    for (const [key, { value }] of node.entries) {
      const use = value.kind === "map" ? textOf(entry(value, "use")) : undefined;
      want(kind, use ?? key, plugins);
    }
  }
}

/** `provider/name`, wherever it stands in a model: a stranger's provider has a slash in its own id. */
function scanModels(node: SpecNode, plugins: PluginTable): void {
  for (const value of childrenOf(node)) scanModels(value, plugins);
  const [first, second, ...rest] = (textOf(node) ?? "").split("/");
  if (second === undefined) return;
  const full = `${first}/${second}`;
  want("provider", rest.length > 0 && plugins.has("provider", full) ? full : first, plugins);
}

function childrenOf(node: SpecNode): readonly SpecNode[] {
  if (node.kind === "scalar") return [];
  return node.kind === "list" ? node.items : [...node.entries.values()].map(({ value }) => value);
}

function want(kind: PluginKind, id: string | undefined, plugins: PluginTable): void {
  if (id !== undefined && plugins.has(kind, id)) plugins.find(kind, id);
}
