import { readdirSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { type ExtendedSpec, readExtends } from "../spec/document/read-extends.ts";
import { type Diagnostic, Diagnostics } from "../spec/text/diagnostic.ts";
import { IncludeBudget } from "../spec/text/include-budget.ts";
import { parseYaml } from "../spec/text/parse-yaml.ts";
import { readSource, sourceFromText, type SourceText } from "../spec/text/read-source.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { projectRoot } from "./project-root.ts";
import { repeatDiagnostic } from "../spec/document/repeat-diagnostic.ts";
import { type LiveSpec, type ReadSettings, readValues } from "./read-values.ts";

/** A spec as a file, or as text with a label that may be a path. */
export type SpecSource =
  | { readonly file: string }
  | { readonly text: string; readonly file?: string };

/** A spec as read from its files. */
export interface ReadSpec extends LiveSpec {
  /** What each file makes of those below it, the lowest first. */
  readonly layers: ExtendedSpec["layers"];
  /** The project root, absolute. */
  readonly root: string;
  /** Absolute for a file, the label for a text. */
  readonly file: string;
  /** What reading found. */
  readonly diagnostics: Diagnostics;
  /** Adds what compilations found, in order and with notes about the file that named a file. */
  report(found: readonly Diagnostic[]): readonly Diagnostic[];
  /** The lines of the files that diagnostics name. */
  linesOf(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly string[]>;
}

/** Reads a spec with everything that it extends and its overlays, and replaces what stands for variables and files. */
export function readSpec(said: SpecSource, settings: ReadSettings): ReadSpec {
  const label = said.file ?? "spec.yaml";
  const folder = said.file === undefined ? process.cwd() : dirname(resolve(said.file));
  const root = settings.root === undefined ? projectRoot(folder) : resolve(settings.root);
  const isText = "text" in said;
  const source = isText
    ? sourceFromText(said.text, labelIn(root, label))
    : readSource(resolve(label), { root });
  const diagnostics = new Diagnostics();
  const budget = new IncludeBudget();
  const parsed = parseOrExplain(source, resolve(label), diagnostics);
  const extended =
    parsed === undefined ? undefined : readExtends(parsed, root, diagnostics, budget);
  const bases = [...(extended?.bases ?? [])];
  const notes = new Map(bases.map(([file, base]) => [file, base.note]));
  const sources = new Map(
    [source, ...bases.map(([, base]) => base.source)].map((text) => [text.file, text.lines]),
  );
  const isReadable = extended !== undefined && !hasFileErrors(diagnostics);
  const live = isReadable
    ? readValues(extended, { ...settings, root, budget, diagnostics })
    : { overlays: new Map<string, never>(), environment: [] };
  return {
    ...live,
    layers: extended?.layers ?? [],
    root,
    file: isText ? label : resolve(label),
    diagnostics,
    report: (found) => joined(diagnostics.items, found, notes).sorted(),
    linesOf: (all) => withLines(sources, all, root),
  };
}

/** A patch that can't be applied leaves the rest of the spec to look at; a file that can't be read does not. */
function hasFileErrors({ items }: Diagnostics): boolean {
  const isOfPatch = (code: string): boolean =>
    code === "LW-SPEC-PATCH" || code === "LW-VALUE-LIST-EXPECTED";
  return items.some(({ severity, code }) => severity === "error" && !isOfPatch(code));
}

// A missing file is told with what lies near it.
function parseOrExplain(
  source: SourceText,
  absolute: string,
  diagnostics: Diagnostics,
): SpecNode | undefined {
  const missing = source.problems?.find(({ code }) => code === "LW-FILE-MISSING");
  if (missing === undefined) return parseYaml(source, diagnostics);
  const near = didYouMean(basename(absolute), specsIn(dirname(absolute)));
  const at = { file: source.file, line: 1, column: 1 };
  diagnostics.error(
    "LW-FILE-MISSING",
    at,
    missing.message,
    near ?? `check the path: it is looked for at ${absolute}`,
  );
  return undefined;
}

function specsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /\.(ya?ml|json)$/.test(name));
  } catch {
    return [];
  }
}

// What stands where reading failed is not told twice.
function joined(
  first: readonly Diagnostic[],
  second: readonly Diagnostic[],
  notesOf: ReadonlyMap<string, string>,
): Diagnostics {
  const all = new Diagnostics();
  const placeOf = ({ file, line, column }: Diagnostic): string => `${file}:${line}:${column}`;
  const told = new Set(first.map(placeOf));
  for (const item of [...first, ...second.filter((found) => !told.has(placeOf(found)))]) {
    const note = notesOf.get(item.file);
    repeatDiagnostic(
      note === undefined ? item : { ...item, notes: [...(item.notes ?? []), note] },
      all,
    );
  }
  return all;
}

function withLines(
  known: ReadonlyMap<string, readonly string[]>,
  diagnostics: readonly Diagnostic[],
  root: string,
): ReadonlyMap<string, readonly string[]> {
  const sources = new Map(known);
  for (const { file } of diagnostics) {
    if (sources.has(file) || file.startsWith("--")) continue;
    sources.set(file, readSource(file, { root }).lines);
  }
  return sources;
}

function labelIn(root: string, label: string): string {
  const way = relative(root, resolve(root, label)).split(sep).join("/");
  return way === "" || way.startsWith("..") ? basename(label) : way;
}
