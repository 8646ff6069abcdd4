import { setTimeout as pause } from "node:timers/promises";
import {
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  type InitializeResult,
  ProposedFeatures,
  type Range,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocuments,
  TextDocumentSyncKind,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { complete } from "./completion.ts";
import { definitionAt } from "./definition.ts";
import { DiagnosticsTeller } from "./diagnostics.ts";
import { SpecDocuments } from "./documents.ts";
import { format } from "./format.ts";
import { hover } from "./hover.ts";
import type { OpenSpec } from "./open-spec.ts";
import { type Project, Projects, type ProjectSettings } from "./projects.ts";
import { otherFiles, rename, RenameRefusal, renameRange } from "./rename.ts";

/** Serves one editor on standard input and output until it goes away. */
export function serveEditor(settings: ProjectSettings): void {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const server = new EditorServer(connection, settings);
  server.listen();
}

const CAPABILITIES: InitializeResult = {
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    completionProvider: { triggerCharacters: [" ", ".", ":", "{", "[", "-"] },
    hoverProvider: true,
    definitionProvider: true,
    renameProvider: { prepareProvider: true },
    documentFormattingProvider: true,
  },
  serverInfo: { name: "loopwright" },
};

/** What a spec may be built on. */
const WATCHED = { watchers: [{ globPattern: "**/*.{yaml,yml,json,jsonl,csv,md,txt}" }] };
/** How long an answer waits for the first check of a spec, which finds out the names that it may use. */
const FIRST_CHECK_MS = 3_000;

class EditorServer {
  readonly #connection: Connection;
  readonly #projects: Projects;
  readonly #specs = new SpecDocuments();
  readonly #texts = new TextDocuments(TextDocument);
  readonly #teller: DiagnosticsTeller;

  constructor(connection: Connection, settings: ProjectSettings) {
    this.#connection = connection;
    this.#projects = new Projects(settings);
    this.#teller = new DiagnosticsTeller(
      (uri, diagnostics, version) => {
        const of = version === undefined ? {} : { version };
        void connection.sendDiagnostics({ uri, ...of, diagnostics: [...diagnostics] });
      },
      (uri) => this.#texts.get(uri)?.getText(),
    );
  }

  listen(): void {
    this.#connection.onInitialize(({ capabilities: { workspace } }) => {
      const canWatch = workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
      if (canWatch) this.#connection.onInitialized(() => this.#watchFiles());
      return CAPABILITIES;
    });
    this.#watchTexts();
    this.#answer();
    this.#texts.listen(this.#connection);
    this.#connection.listen();
  }

  #watchTexts(): void {
    this.#texts.onDidChangeContent(({ document }) => {
      const spec = this.#specs.update(document);
      if (spec === undefined) this.#teller.again(document.uri);
      else this.#checkSoon(spec);
    });
    this.#texts.onDidClose(({ document }) => {
      const spec = this.#specs.remove(document.uri);
      if (spec === undefined) this.#teller.again(document.uri);
      else this.#teller.forget(spec);
    });
    // A spec may be built on the file that was saved, or changed by another program.
    this.#texts.onDidSave(() => {
      this.#checkAll();
    });
    this.#connection.onDidChangeWatchedFiles(() => {
      this.#checkAll();
    });
  }

  async #watchFiles(): Promise<void> {
    try {
      await this.#connection.client.register(DidChangeWatchedFilesNotification.type, WATCHED);
    } catch (fault) {
      this.#connection.console.error(`watching files failed: ${String(fault)}`);
    }
  }

  #checkAll(): void {
    for (const spec of this.#specs.all) this.#checkSoon(spec);
  }

  #checkSoon(spec: OpenSpec): void {
    this.#teller.soon(spec, async () => {
      try {
        await this.#teller.check(spec, await this.#projects.of(spec.file));
      } catch (fault) {
        spec.keepNothing();
        this.#connection.console.error(`checking ${spec.file} failed: ${String(fault)}`);
      }
    });
  }

  #answer(): void {
    const connection = this.#connection;
    connection.onCompletion((at) =>
      this.#at(at, [], (spec, offset, project) => [...complete(spec, offset, project)]),
    );
    connection.onHover((at) => this.#at(at, null, (...found) => hover(...found) ?? null));
    connection.onDefinition((at) =>
      this.#at(at, null, (...found) => definitionAt(...found) ?? null),
    );
    connection.onPrepareRename((at) =>
      this.#at<Range | null>(at, null, (...found) => renameRange(...found) ?? null),
    );
    connection.onRenameRequest((at) =>
      this.#at(at, null, (spec, offset, project) => {
        const others = otherFiles(spec, project).flatMap((file) => this.#specs.ofFile(file) ?? []);
        return rename(spec, offset, at.newName, project, others);
      }),
    );
    connection.onDocumentFormatting(({ textDocument }) => {
      const spec = this.#specs.get(textDocument.uri);
      return spec === undefined ? [] : [...format(spec)];
    });
  }

  /** Answers about a place of a spec; a document that is none gets the answer that says nothing. */
  async #at<T>(
    { textDocument, position }: TextDocumentPositionParams,
    nothing: T,
    answer: (spec: OpenSpec, offset: number, project: Project) => T,
  ): Promise<T> {
    const spec = this.#specs.get(textDocument.uri);
    if (spec === undefined) return nothing;
    const project = await this.#projects.of(spec.file);
    await Promise.race([spec.firstCheck, pause(FIRST_CHECK_MS, undefined, { ref: false })]);
    try {
      return answer(spec, spec.document.offsetAt(position), project);
    } catch (fault) {
      if (!(fault instanceof RenameRefusal)) throw fault;
      throw new ResponseError(ErrorCodes.InvalidParams, fault.message);
    }
  }
}
