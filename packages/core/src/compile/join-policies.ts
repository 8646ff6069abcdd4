import type { ToolPolicy } from "../program/program.ts";
import type { NamedEntry } from "../spec/document/named-entries.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry } from "../spec/text/spec-node.ts";
import { reportContradictions } from "./policy-contradictions.ts";
import type { PolicyLevel } from "./tool-policy.ts";

/** The levels of a tool's policy, the lowest first. */
export interface PolicyLevels {
  readonly plugin: ToolPolicy;
  /** `toolPolicy`. */
  readonly shared: PolicyLevel | undefined;
  /** What `tools.NAME` says. */
  readonly own: PolicyLevel;
  readonly isAgent: boolean;
}

/** Lays the levels of a tool's policy over each other; what contradicts the tool is reported. */
export function joinPolicies(
  said: NamedEntry,
  { plugin, shared, own, isAgent }: PolicyLevels,
  diagnostics: Diagnostics,
): ToolPolicy {
  const fitting = whatFits(shared, plugin, said.name, isAgent);
  const limits = { ...fitting.limits, ...own.said.limits };
  const joined: ToolPolicy = {
    ...plugin,
    ...fitting,
    ...own.said,
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
  reportCache(said, plugin, own, diagnostics);
  reportLoosened(said, plugin, joined, { shared, own }, diagnostics);
  const level = { tool: said.name, node: own.node, policy: joined, isAgent };
  reportContradictions(level, diagnostics);
  return plugin.effect === "read" ? joined : { ...joined, cacheMs: 0 };
}

function reportCache(
  said: NamedEntry,
  plugin: ToolPolicy,
  own: PolicyLevel,
  diagnostics: Diagnostics,
): void {
  if (plugin.effect === "read" || (own.said.cacheMs ?? 0) === 0) return;
  diagnostics.error(
    "LW-TOOL-EFFECT",
    entry(own.node, "cache") ?? said.at,
    `\`${said.name}\` changes something (effect ${plugin.effect}); its results cannot be cached`,
    "delete `cache`",
  );
}

function reportLoosened(
  said: NamedEntry,
  plugin: ToolPolicy,
  joined: ToolPolicy,
  { shared, own }: Pick<PolicyLevels, "shared" | "own">,
  diagnostics: Diagnostics,
): void {
  if (plugin.approval !== "always" || joined.approval === "always") return;
  const at = own.said.approval === undefined ? shared?.node : own.node;
  const by = joined.approval === "never" ? "never" : "asked for by a condition";
  diagnostics.warn(
    "LW-TOOL-LOOSENED-APPROVAL",
    (at === undefined ? undefined : entry(at, "approval")) ?? said.at,
    `this loosens the approval of \`${said.name}\` (was always by its effect): it is ${by}`,
    "write `approval: always`, or keep it so on purpose",
  );
}

// What is said for all tools holds for those that it can hold for: one needs no stand-in for itself, what must run once is
// not tried again, and only agents ask models.
function whatFits(
  shared: PolicyLevel | undefined,
  plugin: ToolPolicy,
  name: string,
  isAgent: boolean,
): PolicyLevel["said"] {
  const { fallback, retry, limits, ...rest } = shared?.said ?? {};
  const isItself = fallback !== undefined && "tool" in fallback && fallback.tool === name;
  const { modelCalls, tokens, usd, ...plain } = limits ?? {};
  const models = {
    ...(modelCalls === undefined ? {} : { modelCalls }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(usd === undefined ? {} : { usd }),
  };
  const fitting = isAgent ? { ...models, ...plain } : plain;
  return {
    ...rest,
    ...(fallback === undefined || isItself ? {} : { fallback }),
    ...(retry === undefined || plugin.effect === "once" ? {} : { retry }),
    ...(Object.keys(fitting).length === 0 ? {} : { limits: fitting }),
  };
}
