import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Diagnostic, DiagnosticSeverity } from "vscode-languageserver/node";
import type { CheckResult, Diagnostic as Finding } from "@loopwright/core";
import type { OpenSpec } from "./open-spec.ts";
import type { Project } from "./projects.ts";
import { saidFile } from "./said-file.ts";

/** A check that ends before the next key stroke begins at once, after what came in one go. */
const QUICK_CHECK_MS = 100;
const SHORTEST_WAIT_MS = 2;
/** The wait before a slower one is a quarter of what the last took. */
const LONGEST_WAIT_MS = 150;

/** Tells an editor the diagnostics of a document, and of which version of it; an empty list takes back what was told. */
export type Publish = (uri: string, diagnostics: readonly Diagnostic[], version?: number) => void;

/** What a check of one version of a spec found, by file. */
interface Told {
  readonly version: number;
  readonly files: ReadonlyMap<string, readonly FoundOnce[]>;
}

/** A diagnostic, and what it has in common with the same finding of another spec. */
interface FoundOnce {
  readonly key: string;
  readonly diagnostic: Diagnostic;
}

/** Checks specs as they change, and tells what was found, in each file where it was found. */
export class DiagnosticsTeller {
  readonly #publish: Publish;
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #textOf: (uri: string) => string | undefined;
  readonly #told = new Map<string, Told>();
  readonly #followed = new Set<OpenSpec>();
  #lastMs = 0;

  /** `textOf` gives the text of a document that is open. */
  constructor(publish: Publish, textOf: (uri: string) => string | undefined) {
    this.#publish = publish;
    this.#textOf = textOf;
  }

  /** Checks a spec soon; a further change before that begins the wait anew. */
  soon(spec: OpenSpec, check: () => Promise<void>): void {
    this.#followed.add(spec);
    clearTimeout(this.#waiting.get(spec.uri));
    const wait =
      this.#lastMs < QUICK_CHECK_MS
        ? SHORTEST_WAIT_MS
        : Math.min(this.#lastMs / 4, LONGEST_WAIT_MS);
    const timer = setTimeout(() => {
      this.#waiting.delete(spec.uri);
      void check();
    }, wait);
    this.#waiting.set(spec.uri, timer);
  }

  /** Checks a spec now; what a check of an older text finds is dropped. */
  async check(spec: OpenSpec, project: Project): Promise<void> {
    const { version } = spec.document;
    const before = performance.now();
    const source = { text: spec.text, file: spec.file };
    const result = await project.app.check(source, { root: project.root });
    this.#lastMs = performance.now() - before;
    if (spec.document.version !== version || !this.#followed.has(spec)) return;
    spec.keep(result);
    this.#tell(spec.uri, { version, files: byFile(result, spec, project) });
  }

  /** Takes back what was told about a spec and the files that it reads. */
  forget(spec: OpenSpec): void {
    clearTimeout(this.#waiting.get(spec.uri));
    this.#waiting.delete(spec.uri);
    this.#followed.delete(spec);
    this.#tell(spec.uri, undefined);
  }

  /** Tells again what is known of a document that is no spec itself, after its text changed. */
  again(uri: string): void {
    const isTold = [...this.#told.values()].some(({ files }) => files.has(uri));
    if (isTold) this.#show(uri);
  }

  #tell(spec: string, told: Told | undefined): void {
    const before = this.#told.get(spec);
    if (told === undefined) this.#told.delete(spec);
    else this.#told.set(spec, told);
    const uris = new Set([...(before?.files.keys() ?? []), ...(told?.files.keys() ?? [])]);
    for (const uri of uris) this.#show(uri);
  }

  #show(uri: string): void {
    this.#publish(uri, this.#all(uri), this.#told.get(uri)?.version);
  }

  /** What all open specs say about one file, each finding once, as the file itself says it. */
  #all(uri: string): readonly Diagnostic[] {
    const own = this.#told.get(uri)?.files.get(uri) ?? [];
    const others = this.#isAsSaved(uri)
      ? [...this.#told].flatMap(([spec, { files }]) => (spec === uri ? [] : (files.get(uri) ?? [])))
      : [];
    const unique = new Map<string, Diagnostic>();
    for (const { key, diagnostic } of [...own, ...others])
      if (!unique.has(key)) unique.set(key, diagnostic);
    return [...unique.values()];
  }

  /** Whether a document is as on the disk: the specs that are built on it read it there. */
  #isAsSaved(uri: string): boolean {
    const text = this.#textOf(uri);
    if (text === undefined || !uri.startsWith("file:")) return true;
    try {
      const saved = readFileSync(fileURLToPath(uri), "utf8");
      return saved.replace(/^\ufeff/u, "") === text.replace(/^\ufeff/u, "");
    } catch {
      // What others read there is gone.
      return false;
    }
  }
}

function byFile(
  { diagnostics }: CheckResult,
  spec: OpenSpec,
  project: Project,
): ReadonlyMap<string, readonly FoundOnce[]> {
  const files = new Map<string, FoundOnce[]>([[spec.uri, []]]);
  for (const finding of diagnostics) {
    const file = saidFile(project, finding.file);
    const uri = file === spec.file || !existsSync(file) ? spec.uri : pathToFileURL(file).href;
    const diagnostic = toDiagnostic(finding);
    // Notes say by which way a spec came to the file.
    const key = JSON.stringify([diagnostic.range.start, finding.code, finding.message]);
    files.set(uri, [...(files.get(uri) ?? []), { key, diagnostic }]);
  }
  return files;
}

function toDiagnostic(finding: Finding): Diagnostic {
  const line = Math.max(0, finding.line - 1);
  const character = Math.max(0, finding.column - 1);
  const end = Math.max(character + 1, (finding.endColumn ?? 0) - 1);
  const repair = finding.suggestion === undefined ? [] : [`fix: ${finding.suggestion}`];
  return {
    range: { start: { line, character }, end: { line, character: end } },
    severity: finding.severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code: finding.code,
    source: "loopwright",
    message: [finding.message, ...(finding.notes ?? []), ...repair].join("\n"),
  };
}
