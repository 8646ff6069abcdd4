import type {
  DefinitionByKind,
  PluginKind,
  PluginPackage,
} from "../contracts/plugin-definition.ts";
import type { DiagnosticCode } from "../spec/text/diagnostic-codes.ts";
import { Diagnostics } from "../spec/text/diagnostic.ts";
import type { Position } from "../spec/text/position.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean, nearestNames } from "../spec/text/suggest.ts";
import type { Program } from "../program/program.ts";
import type { AgentTable } from "./agent-table.ts";
import type { CompileSettings } from "./compile-settings.ts";
import { type IndexRecorder, openRecorder } from "./index-recorder.ts";
import { installHint, publishedHint } from "./install-hint.ts";
import type { Found } from "./plugin-source.ts";
import type { PluginTable } from "./plugin-table.ts";

/** What every part of a compilation shares. */
export interface CompileContext {
  readonly diagnostics: Diagnostics;
  readonly plugins: PluginTable;
  /** The packages that the spec names in `plugins`; among those of `plugins`. */
  readonly packages?: readonly PluginPackage[];
  readonly settings: CompileSettings;
  /** The specs of inner agents. */
  readonly agents: AgentTable;
  /** The project root, absolute. */
  readonly root: string;
  /** Where names stand, for editors and commands. */
  readonly record: IndexRecorder;
  /** Programs of inner agents, by the id of their stage or `tool:NAME`; added to as they are met. */
  readonly inner: Map<string, Program>;
  /** Ids of stages that could not be read whole: what they write and cost is not known. */
  readonly unsound: Set<string>;
  /** Where each strategy of `strategies` is used first; added to as they are met. */
  readonly strategyUses: Map<string, Position>;
}

/** Opens the context of one pass, with nothing found yet. */
export function openContext(
  shared: Pick<CompileContext, "plugins" | "agents" | "settings" | "root">,
): CompileContext {
  return {
    ...shared,
    diagnostics: new Diagnostics(),
    record: openRecorder(),
    inner: new Map(),
    unsound: new Set(),
    strategyUses: new Map(),
  };
}

/** A plugin that a spec names. */
export interface ResolvedPlugin<K extends PluginKind> {
  readonly id: string;
  readonly definition: DefinitionByKind[K];
}

/** Finds the plugin that a spec names; undefined when it is not loaded yet or an error was reported. */
export function resolvePlugin<K extends PluginKind>(
  kind: K,
  id: string,
  at: SpecNode,
  context: CompileContext,
  unknownCode: DiagnosticCode = "LW-PLUGIN-UNKNOWN",
  alsoKnown: readonly string[] = [],
): ResolvedPlugin<K> | undefined {
  const found = context.plugins.find(kind, id);
  if (found === undefined) return undefined;
  if (found.status === "found") {
    context.record.use("plugin", found.id, at);
    return { id: found.id, definition: found.definition };
  }
  const told = found.status === "missing" ? withNear(found, nearestNames(id, alsoKnown)) : found;
  reportPlugin(kind, id, told, at, unknownCode, context);
  return undefined;
}

/** The id of the installed plugin that is nearest to a misspelt one; undefined where none is near or it is not misspelt. */
export function nearestPlugin(
  kind: PluginKind,
  id: string,
  { plugins }: CompileContext,
): string | undefined {
  const found = plugins.find(kind, id);
  return found?.status === "missing"
    ? (nearestNames(id, found.near)[0] ?? found.near[0])
    : undefined;
}

type Missing = Extract<Found<PluginKind>, { status: "missing" }>;

function withNear(found: Missing, others: readonly string[]): Missing {
  return { ...found, near: [...others, ...found.near] };
}

function reportPlugin(
  kind: PluginKind,
  id: string,
  found: Exclude<Found<PluginKind>, { status: "found" }>,
  at: SpecNode,
  unknownCode: DiagnosticCode,
  { diagnostics, plugins }: CompileContext,
): void {
  if (found.status === "ambiguous") {
    const ids = found.ids.map((full) => `\`${full}\``).join(" or ");
    diagnostics.error(
      "LW-PLUGIN-AMBIGUOUS",
      at,
      `\`${id}\` fits more than one ${kind}`,
      `write the full id: ${ids}`,
    );
  } else if (found.status === "broken") {
    const message = `\`${id}\` of the package ${found.package} cannot be loaded: ${found.message}`;
    const repair = `install it anew: \`npm i ${found.package}\`, or tell its author`;
    diagnostics.error("LW-PLUGIN-BROKEN", at, message, repair);
  } else {
    const [other] = found.otherKinds;
    const message = `\`${id}\` is a ${other ?? ""}, not a ${kind}`;
    if (other !== undefined) diagnostics.error("LW-PLUGIN-KIND", at, message, places[other](id));
    else {
      const repair =
        publishedHint(kind, id) ??
        nearOf(id, found.near) ??
        installHint(id) ??
        listed(plugins.ids(kind));
      diagnostics.error(unknownCode, at, `no ${kind} \`${id}\` is installed`, repair);
    }
  }
}

/** Where a plugin of another kind belongs. */
const places: Readonly<Record<PluginKind, (id: string) => string>> = {
  strategy: (id) => `write it as a stage: \`- ${id}\``,
  provider: (id) => `write it in a model: \`${id}/NAME\``,
  tool: (id) => `list it under \`tools\`: \`tools: [${id}]\``,
  check: (id) => `list it under \`checks\`: \`checks: [${id}]\``,
  memory: (id) => `write it under \`memory\`: \`NAME: { use: ${id} }\``,
  sink: (id) => `list it under \`sinks\`: \`sinks: [${id}]\``,
  service: () => "plugins ask for it by themselves; take it out",
};

const mostListed = 16;

function listed(ids: readonly string[]): string {
  const more = ids.length > mostListed ? `, and ${ids.length - mostListed} more` : "";
  return ids.length === 0
    ? "install a package that provides one, and name it under `plugins`"
    : `installed here: ${ids.slice(0, mostListed).join(", ")}${more}`;
}

function nearOf(id: string, near: readonly string[]): string | undefined {
  const names = near.map((name) => `\`${name}\``).join(" or ");
  return didYouMean(id, near) ?? (names === "" ? undefined : `did you mean ${names}?`);
}
