import { readdirSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { readExtends } from "../spec/document/read-extends.ts";
import { type Diagnostic, Diagnostics } from "../spec/text/diagnostic.ts";
import type { DiagnosticCode } from "../spec/text/diagnostic-codes.ts";
import { parseYaml } from "../spec/text/parse-yaml.ts";
import { readSource, sourceFromText, type SourceText } from "../spec/text/read-source.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import { substitute } from "../spec/text/substitute.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { projectRoot } from "./project-root.ts";

/** A spec as a file, or as text with a label that may be a path. */
export type SpecSource =
  | { readonly file: string }
  | { readonly text: string; readonly file?: string };

/** A spec as read from its files. */
export interface ReadSpec {
  /** Missing where the files hold errors that leave nothing to look at. */
  readonly node?: SpecNode;
  /** The project root, absolute. */
  readonly root: string;
  /** Absolute for a file, the label for a text. */
  readonly file: string;
  /** What reading found. */
  readonly diagnostics: Diagnostics;
  /** Adds what a compilation found, in order and with notes about the file that named a file. */
  report(found: Diagnostics): readonly Diagnostic[];
  /** The lines of the files that diagnostics name. */
  linesOf(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly string[]>;
}

/** Reads a spec with everything that it extends, and replaces what stands for variables and files. */
export function readSpec(
  said: SpecSource,
  settings: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly root?: string;
  },
): ReadSpec {
  const label = said.file ?? "spec.yaml";
  const folder = said.file === undefined ? process.cwd() : dirname(resolve(said.file));
  const root = settings.root === undefined ? projectRoot(folder) : resolve(settings.root);
  const isText = "text" in said;
  const source = isText
    ? sourceFromText(said.text, labelIn(root, label))
    : readSource(resolve(label), { root });
  const diagnostics = new Diagnostics();
  const parsed = parseOrExplain(source, resolve(label), diagnostics);
  const { node, bases } =
    parsed === undefined
      ? { node: undefined, bases: new Map<string, never>() }
      : readExtends(parsed, root, diagnostics);
  const notes = new Map([...bases].map(([file, base]) => [file, base.note]));
  const sources = new Map(
    [source, ...[...bases.values()].map((base) => base.source)].map((text) => [
      text.file,
      text.lines,
    ]),
  );
  // Whether a field may hold a secret is known with its schema, when the options are read.
  const live =
    node === undefined || (parsed !== undefined && diagnostics.hasErrors)
      ? undefined
      : substitute(node, { env: settings.env, root, secretAllowed: () => true, diagnostics });
  return {
    ...(live === undefined ? {} : { node: live }),
    root,
    file: isText ? label : resolve(label),
    diagnostics,
    report: (found) => joined(diagnostics, found, notes).sorted(),
    linesOf: (all) => withLines(sources, all, root),
  };
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
  first: Diagnostics,
  second: Diagnostics,
  notesOf: ReadonlyMap<string, string>,
): Diagnostics {
  const all = new Diagnostics();
  const isTold = ({ file, line, column }: Diagnostic): boolean =>
    first.items.some((item) => item.file === file && item.line === line && item.column === column);
  for (const item of [...first.items, ...second.items.filter((found) => !isTold(found))]) {
    const note = notesOf.get(item.file);
    const notes = [...(item.notes ?? []), ...(note === undefined ? [] : [note])];
    const code = item.code as DiagnosticCode;
    if (item.severity === "error") all.error(code, item, item.message, item.suggestion, notes);
    else all.warn(code, item, item.message, item.suggestion, notes);
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
