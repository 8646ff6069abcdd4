import { basename, dirname, relative, resolve, sep } from "node:path";
import { readOverrides } from "../spec/document/apply-overrides.ts";
import type { DiagnosticCode } from "../spec/text/diagnostic-codes.ts";
import { Diagnostics, type Diagnostic } from "../spec/text/diagnostic.ts";
import { parseYaml } from "../spec/text/parse-yaml.ts";
import { readSource, sourceFromText, type SourceText } from "../spec/text/read-source.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import { substitute } from "../spec/text/substitute.ts";
import { compilePass, type PassInput } from "./compile-pass.ts";
import type { CompileSettings } from "./compile-settings.ts";
import { PluginTable } from "./plugin-table.ts";
import type { Program } from "./program.ts";
import { projectRootOf } from "./project-root.ts";

export type { CompileSettings } from "./compile-settings.ts";

/** A spec as a file, or as text with a label that may be a path. */
export type SpecSource =
  | { readonly file: string }
  | { readonly text: string; readonly file?: string };

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
  const label = source.file ?? "spec.yaml";
  const root = rootOf(source, settings);
  const text =
    "text" in source
      ? sourceFromText(source.text, labelIn(root, label))
      : readSource(resolve(label), { root });
  const found = new Diagnostics();
  const node = readNode(text, root, settings, found);
  const overrides = readOverrides(settings.overrides ?? [], found);
  if (settings.overlay !== undefined) {
    const at = { file: text.file, line: 1, column: 1 };
    found.error(
      "LW-SPEC-NOT-YET",
      at,
      "overlays are part of the language, but this version cannot apply them yet",
      "leave out --overlay",
    );
  }
  if (node === undefined) return finish(undefined, found, text, root);
  const file = "text" in source ? label : resolve(label);
  const plugins = new PluginTable(settings.plugins);
  return repeatPasses({ node, file, overrides }, text, { plugins, settings, root }, found);
}

async function repeatPasses(
  input: PassInput,
  text: SourceText,
  context: {
    readonly plugins: PluginTable;
    readonly settings: CompileSettings;
    readonly root: string;
  },
  found: Diagnostics,
): Promise<CompileResult> {
  const diagnostics = new Diagnostics();
  const program = compilePass(input, { ...context, diagnostics });
  if (await context.plugins.loadWanted()) return repeatPasses(input, text, context, found);
  return finish(
    found.hasErrors ? undefined : program,
    joined(found, diagnostics),
    text,
    context.root,
  );
}

function readNode(
  text: SourceText,
  root: string,
  settings: CompileSettings,
  diagnostics: Diagnostics,
): SpecNode | undefined {
  const parsed = parseYaml(text, diagnostics);
  // Whether a field may hold a secret is known with its schema, when the options are read.
  return parsed === undefined
    ? undefined
    : substitute(parsed, { env: settings.env, root, secretAllowed: () => true, diagnostics });
}

// What stands where a substitution failed is not told twice.
function joined(first: Diagnostics, second: Diagnostics): Diagnostics {
  const all = new Diagnostics();
  const isTold = (item: Diagnostic): boolean =>
    first.items.some(
      ({ file, line, column }) =>
        file === item.file && line === item.line && column === item.column,
    );
  for (const item of [...first.items, ...second.items.filter((found) => !isTold(found))]) {
    const { code, message, suggestion, notes } = item;
    if (item.severity === "error")
      all.error(code as DiagnosticCode, item, message, suggestion, notes);
    else all.warn(code as DiagnosticCode, item, message, suggestion, notes);
  }
  return all;
}

function finish(
  program: Program | undefined,
  found: Diagnostics,
  text: SourceText,
  root: string,
): CompileResult {
  const diagnostics = found.sorted();
  const sources = new Map<string, readonly string[]>([[text.file, text.lines]]);
  for (const { file } of diagnostics) {
    if (sources.has(file) || file.startsWith("--")) continue;
    sources.set(file, readSource(file, { root }).lines);
  }
  return {
    ...(program === undefined ? {} : { program: { ...program, diagnostics } }),
    diagnostics,
    sources,
  };
}

function rootOf(source: SpecSource, settings: CompileSettings): string {
  if (settings.root !== undefined) return resolve(settings.root);
  return projectRootOf(source.file === undefined ? process.cwd() : dirname(resolve(source.file)));
}

function labelIn(root: string, label: string): string {
  const way = relative(root, resolve(root, label)).split(sep).join("/");
  return way === "" || way.startsWith("..") ? basename(label) : way;
}
