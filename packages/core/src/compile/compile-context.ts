import type { DefinitionByKind, PluginKind } from "../contracts/plugin-definition.ts";
import type { DiagnosticCode } from "../spec/text/diagnostic-codes.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import type { CompileSettings } from "./compile-settings.ts";
import type { Found } from "./plugin-source.ts";
import type { PluginTable } from "./plugin-table.ts";

/** What every part of a compilation shares. */
export interface CompileContext {
  readonly diagnostics: Diagnostics;
  readonly plugins: PluginTable;
  readonly settings: CompileSettings;
  /** The project root, absolute. */
  readonly root: string;
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
): ResolvedPlugin<K> | undefined {
  const found = context.plugins.find(kind, id);
  if (found === undefined) return undefined;
  if (found.status === "found") return { id: found.id, definition: found.definition };
  reportPlugin(kind, id, found, at, unknownCode, context.diagnostics);
  return undefined;
}

function reportPlugin(
  kind: PluginKind,
  id: string,
  found: Exclude<Found<PluginKind>, { status: "found" }>,
  at: SpecNode,
  unknownCode: DiagnosticCode,
  diagnostics: Diagnostics,
): void {
  if (found.status === "ambiguous") {
    const message = `\`${id}\` could be ${found.ids.map((full) => `\`${full}\``).join(" or ")}`;
    diagnostics.error("LW-PLUGIN-AMBIGUOUS", at, message, "write the full id");
  } else if (found.status === "broken") {
    const message = `\`${id}\` of the package ${found.package} cannot be loaded: ${found.message}`;
    diagnostics.error("LW-PLUGIN-BROKEN", at, message);
  } else {
    const [other] = found.otherKinds;
    const message = `\`${id}\` is a ${other ?? ""}, not a ${kind}`;
    if (other !== undefined) diagnostics.error("LW-PLUGIN-KIND", at, message);
    else {
      const near = nearOf(id, found.near);
      diagnostics.error(unknownCode, at, `no ${kind} \`${id}\` is installed`, near);
    }
  }
}

function nearOf(id: string, near: readonly string[]): string | undefined {
  const names = near.map((name) => `\`${name}\``).join(" or ");
  return didYouMean(id, near) ?? (names === "" ? undefined : `did you mean ${names}?`);
}
