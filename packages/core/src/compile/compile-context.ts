import type { DefinitionByKind, PluginKind } from "../contracts/plugin-definition.ts";
import type { DiagnosticCode } from "../spec/text/diagnostic-codes.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import type { CompileSettings } from "./compile-settings.ts";
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
  const { diagnostics } = context;
  switch (found.status) {
    case "found":
      return { id: found.id, definition: found.definition };
    case "ambiguous": {
      const message = `\`${id}\` could be ${found.ids.map((full) => `\`${full}\``).join(" or ")}`;
      diagnostics.error("LW-PLUGIN-AMBIGUOUS", at, message, "write the full id");
      return undefined;
    }
    case "broken":
      diagnostics.error(
        "LW-PLUGIN-BROKEN",
        at,
        `\`${id}\` of the package ${found.package} cannot be loaded: ${found.message}`,
      );
      return undefined;
    case "missing": {
      const other = found.otherKinds[0];
      if (other !== undefined)
        diagnostics.error("LW-PLUGIN-KIND", at, `\`${id}\` is a ${other}, not a ${kind}`);
      else
        diagnostics.error(
          unknownCode,
          at,
          `no ${kind} \`${id}\` is installed`,
          nearOf(id, found.near),
        );
      return undefined;
    }
  }
}

function nearOf(id: string, near: readonly string[]): string | undefined {
  const names = near.map((name) => `\`${name}\``).join(" or ");
  return didYouMean(id, near) ?? (names === "" ? undefined : `did you mean ${names}?`);
}
