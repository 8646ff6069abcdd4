import type { CheckDefinition } from "./check.ts";
import type { MemoryDefinition } from "./memory.ts";
import type { ProviderDefinition } from "./provider.ts";
import type { ServiceDefinition } from "./service.ts";
import type { SinkDefinition } from "./sink.ts";
import type { StrategyDefinition } from "./strategy.ts";
import type { ToolDefinition } from "./tool.ts";

/** The kinds of plugin. */
export type PluginKind = "strategy" | "provider" | "tool" | "check" | "sink" | "memory" | "service";

/** Every definition by its kind. */
export interface DefinitionByKind {
  readonly strategy: StrategyDefinition;
  readonly provider: ProviderDefinition;
  readonly tool: ToolDefinition;
  readonly check: CheckDefinition;
  readonly sink: SinkDefinition;
  readonly memory: MemoryDefinition;
  readonly service: ServiceDefinition;
}

/** Any plugin definition. */
export type PluginDefinition = DefinitionByKind[PluginKind];

/** One line of a plugin package: what it provides, and how to load it when a spec names it. */
export interface PluginEntry<K extends PluginKind = PluginKind> {
  readonly kind: K;
  readonly id: string;
  /** For a provider: other ids that name it, each a profile of it. */
  readonly profiles?: readonly string[];
  readonly load: () => Promise<DefinitionByKind[K]>;
}

/** What a plugin package provides. */
export interface PluginPackage {
  readonly name: string;
  readonly entries: readonly PluginEntry[];
}
