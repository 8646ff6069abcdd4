import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
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

/** Tells an editor the diagnostics of a document; an empty list takes back what was told. */
export type Publish = (uri: string, diagnostics: readonly Diagnostic[]) => void;

/** Checks specs as they change, and tells what was found, in each file where it was found. */
export class DiagnosticsTeller {
  readonly #publish: Publish;
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  /** By spec, then by file. */
  readonly #told = new Map<string, ReadonlyMap<string, readonly Diagnostic[]>>();
  #lastMs = 0;

  constructor(publish: Publish) {
    this.#publish = publish;
  }

  /** Checks a spec soon; a further change before that begins the wait anew. */
  soon(spec: OpenSpec, check: () => Promise<void>): void {
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
    if (spec.document.version !== version) return;
    spec.keep(result);
    this.#tell(spec.uri, byFile(result, spec, project));
  }

  /** Takes back what was told about a spec and the files that it reads. */
  forget(spec: OpenSpec): void {
    clearTimeout(this.#waiting.get(spec.uri));
    this.#waiting.delete(spec.uri);
    this.#tell(spec.uri, new Map());
    this.#told.delete(spec.uri);
  }

  #tell(spec: string, found: ReadonlyMap<string, readonly Diagnostic[]>): void {
    const uris = new Set([...(this.#told.get(spec)?.keys() ?? []), ...found.keys()]);
    this.#told.set(spec, found);
    for (const uri of uris) this.#publish(uri, this.#all(uri));
  }

  /** What all open specs say about one file, each finding once. */
  #all(uri: string): readonly Diagnostic[] {
    const all = [...this.#told.values()].flatMap((files) => files.get(uri) ?? []);
    const unique = new Map(
      all.map((one) => [JSON.stringify([one.range, one.code, one.message]), one]),
    );
    return [...unique.values()];
  }
}

function byFile(
  { diagnostics }: CheckResult,
  spec: OpenSpec,
  project: Project,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const files = new Map<string, Diagnostic[]>([[spec.uri, []]]);
  for (const finding of diagnostics) {
    const file = saidFile(project, finding.file);
    const uri = file === spec.file || !existsSync(file) ? spec.uri : pathToFileURL(file).href;
    files.set(uri, [...(files.get(uri) ?? []), toDiagnostic(finding)]);
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
