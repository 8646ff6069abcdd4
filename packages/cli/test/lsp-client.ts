import { type ChildProcess, spawn } from "node:child_process";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { bundledCommand } from "./spawn-command.ts";

/** A diagnostic as the protocol has it. */
export interface ToldDiagnostic {
  readonly code: string;
  readonly severity: number;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

/** A client's message that asks to be told something. */
interface Registrations {
  readonly registrations: readonly { readonly method: string }[];
}

/** An editor that talks to `loopwright lsp`, started from source, over its standard input and output. */
export class LspClient {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly #connection: MessageConnection;
  /** The version of each document that its diagnostics are said to be of. */
  readonly versions = new Map<string, number | undefined>();
  /** What the server asked to be told. */
  readonly registered: string[] = [];
  readonly #told = new Map<string, readonly ToldDiagnostic[]>();
  readonly #waiting = new Set<() => void>();

  constructor(cwd: string) {
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [bundledCommand, "lsp", "--stdio"], {
      cwd,
      stdio: ["pipe", "pipe", "inherit"],
      env: { PATH, HOME },
    });
    this.child = child;
    this.ended = new Promise((resolve) => {
      child.on("close", resolve);
    });
    this.#connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    this.#connection.onNotification("textDocument/publishDiagnostics", (told) => {
      const { uri, version, diagnostics } = told as {
        readonly uri: string;
        readonly version?: number;
        readonly diagnostics: readonly ToldDiagnostic[];
      };
      this.#told.set(uri, diagnostics);
      this.versions.set(uri, version);
      for (const look of this.#waiting) look();
    });
    this.#connection.onRequest("client/registerCapability", ({ registrations }: Registrations) => {
      this.registered.push(...registrations.map(({ method }) => method));
      return null;
    });
    this.#connection.listen();
  }

  async start(given: object = {}): Promise<unknown> {
    const capabilities = await this.request("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities: given,
    });
    await this.notify("initialized", {});
    return capabilities;
  }

  request(method: string, given: object): Promise<unknown> {
    return this.#connection.sendRequest(method, given);
  }

  notify(method: string, given: object): Promise<void> {
    return this.#connection.sendNotification(method, given);
  }

  open(uri: string, text: string): Promise<void> {
    const textDocument = { uri, languageId: "yaml", version: 1, text };
    return this.notify("textDocument/didOpen", { textDocument });
  }

  change(uri: string, version: number, text: string): Promise<void> {
    return this.notify("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
  }

  close(uri: string): Promise<void> {
    return this.notify("textDocument/didClose", { textDocument: { uri } });
  }

  save(uri: string): Promise<void> {
    return this.notify("textDocument/didSave", { textDocument: { uri } });
  }

  /** What is told about a document, once that is as wanted. */
  diagnostics(
    uri: string,
    isWanted: (told: readonly ToldDiagnostic[]) => boolean,
  ): Promise<readonly ToldDiagnostic[]> {
    return new Promise((resolve) => {
      const look = (): void => {
        const told = this.#told.get(uri);
        if (told === undefined || !isWanted(told)) return;
        this.#waiting.delete(look);
        resolve(told);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Ends the server as an editor does; gives its exit code. */
  async stop(): Promise<number | null> {
    await this.#connection.sendRequest("shutdown");
    await this.#connection.sendNotification("exit");
    return this.ended;
  }

  kill(): void {
    this.child.kill();
    this.#connection.dispose();
  }
}
