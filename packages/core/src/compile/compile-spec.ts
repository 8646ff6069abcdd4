import { readOverrides } from "../spec/document/apply-overrides.ts";
import { type Diagnostic, Diagnostics } from "../spec/text/diagnostic.ts";
import { compilePass } from "./compile-pass.ts";
import type { CompileSettings } from "./compile-settings.ts";
import { PluginTable } from "./plugin-table.ts";
import type { Program } from "../program/program.ts";
import { readSpec, type SpecSource } from "./read-spec.ts";

export type { CompileSettings } from "./compile-settings.ts";
export type { SpecSource } from "./read-spec.ts";

/** What became of compiling a spec: a program where there are no errors. */
export interface CompileResult {
  readonly program?: Program;
  /** By place. */
  readonly diagnostics: readonly Diagnostic[];
  /** The lines of every file that a diagnostic names, for excerpts. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
}

/** Reads, checks and compiles a spec; what is wrong with it is told in diagnostics, never thrown. */
export async function compileSpec(
  source: SpecSource,
  settings: CompileSettings,
): Promise<CompileResult> {
  const spec = readSpec(source, settings);
  const { node, file, root, diagnostics: reading } = spec;
  const overrides = readOverrides(settings.overrides ?? [], reading);
  if (settings.overlay !== undefined) {
    const message = "overlays are part of the language, but this version cannot apply them yet";
    reading.error(
      "LW-SPEC-NOT-YET",
      { file: "--overlay", line: 1, column: 1 },
      message,
      "leave out --overlay",
    );
  }
  const plugins = new PluginTable(settings.plugins);
  for (;;) {
    const found = new Diagnostics();
    const context = { plugins, settings, root, diagnostics: found };
    const program =
      node === undefined ? undefined : compilePass({ node, file, overrides }, context);
    // oxlint-disable-next-line no-await-in-loop -- each pass needs the plugins that the last one asked for
    if (await plugins.loadWanted()) continue;
    const diagnostics = spec.report(found);
    const isSound = program !== undefined && !reading.hasErrors;
    return {
      ...(isSound ? { program: { ...program, diagnostics } } : {}),
      diagnostics,
      sources: spec.linesOf(diagnostics),
    };
  }
}
