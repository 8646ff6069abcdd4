import { readdirSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { type ExtendedSpec, readExtends } from "../spec/document/read-extends.ts";
import { type Diagnostic, Diagnostics } from "../spec/text/diagnostic.ts";
import { IncludeBudget } from "../spec/text/include-budget.ts";
import { type ReadYaml, readYaml } from "../spec/text/parse-yaml.ts";
import { readSource, sourceFromText, type SourceText } from "../spec/text/read-source.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { projectRoot } from "./project-root.ts";
import { restsOnLost } from "./rests-on-lost.ts";
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
  const { memory } = settings;
  const parsed = parseOrExplain(source, resolve(label), diagnostics, memory);
  const extended =
    parsed.node === undefined
      ? undefined
      : readExtends(parsed.node, {
          root,
          diagnostics,
          budget,
          ...(memory === undefined ? {} : { memory }),
        });
  const lost = lostParts(parsed, extended);
  const bases = [...(extended?.bases ?? [])];
  const notes = new Map(bases.map(([file, base]) => [file, base.note]));
  const sources = new Map(
    [source, ...bases.map(([, base]) => base.source)].map((text) => [text.file, text.lines]),
  );
  const live =
    extended === undefined
      ? { overlays: new Map<string, never>(), environment: [] }
      : readValues(extended, { ...settings, root, budget, diagnostics });
  return {
    ...live,
    layers: extended?.layers ?? [],
    root,
    file: isText ? label : resolve(label),
    diagnostics,
    report: (found) => {
      const certain = [diagnostics.items, found].map((items) =>
        items.filter(({ code }) => !restsOnLost(code, lost)),
      );
      return joined(certain, notes).sorted();
    },
    linesOf: (all) => withLines(sources, all, root),
  };
}

/** What an overlay or a patch of stages would have changed may be anything. */
function lostParts(parsed: ReadYaml, extended: ExtendedSpec | undefined): ReadonlySet<string> {
  const lost = new Set([...parsed.lost, ...(extended?.lost ?? [])]);
  return lost.has("overlays") || lost.has("stages") ? lost.add("*") : lost;
}

// A missing file is told with what lies near it.
function parseOrExplain(
  source: SourceText,
  absolute: string,
  diagnostics: Diagnostics,
  memory: ReadSettings["memory"],
): ReadYaml {
  const missing = source.problems?.find(({ code }) => code === "LW-FILE-MISSING");
  if (missing === undefined) return readYaml(source, diagnostics, memory);
  const near = didYouMean(basename(absolute), specsIn(dirname(absolute)));
  const at = { file: source.file, line: 1, column: 1 };
  diagnostics.error(
    "LW-FILE-MISSING",
    at,
    missing.message,
    near ?? `check the path: it is looked for at ${absolute}`,
  );
  return { lost: new Set("*") };
}

function specsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /\.(ya?ml|json)$/.test(name));
  } catch {
    return [];
  }
}

function joined(
  found: readonly (readonly Diagnostic[])[],
  notesOf: ReadonlyMap<string, string>,
): Diagnostics {
  const all = new Diagnostics();
  for (const item of found.flat()) {
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
