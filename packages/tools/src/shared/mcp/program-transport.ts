import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { ToolError } from "@loopwright/core/plugin";
import { maxMessageChars, TOO_LONG } from "./message-limit.ts";
import { OpenLine } from "./open-line.ts";
import { KeptLines, plainText } from "./kept-lines.ts";
import { ProcessTree } from "./process-tree.ts";
import type { ProgramSettings } from "./server-settings.ts";

/** How long the program may take to end by itself, then after it was asked to. */
const farewellMs = 400;
const graceMs = 1_200;
/** How long output is waited for after the end of a program whose children hold it open. */
const lingerMs = 200;

/**
 * Speaks to a server that is a program, one message a line. The program leads a process group of its own, so that what it
 * starts ends with it; it sees few variables of the host; what it prints beside messages is kept, not shown.
 */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #settings: ProgramSettings;
  readonly #errors = new KeptLines();
  readonly #decoder = new StringDecoder("utf8");
  #child: ChildProcessWithoutNullStreams | undefined;
  #tree: ProcessTree | undefined;
  readonly #line = new OpenLine();
  #noise: string | undefined;
  #ending = "";
  #isClosed = false;

  constructor(settings: ProgramSettings) {
    this.#settings = settings;
  }

  /** The first line on its standard output that is no message. */
  get noise(): string | undefined {
    return this.#noise;
  }

  /** How it ended and what it said last, as the end of a sentence; empty where there is nothing to tell. */
  get lastWords(): string {
    const errors = this.#errors.text();
    const said = errors === "" ? "" : `; on stderr it said: ${errors}`;
    const noise = this.#noise === undefined ? "" : `; on stdout it printed: ${this.#noise}`;
    return `${this.#ending}${said}${noise}`;
  }

  async start(): Promise<void> {
    const { command, args, folder, env } = this.#settings;
    const child = spawn(command, [...args], {
      cwd: folder,
      env: { ...ownVariables(), ...env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
      windowsHide: true,
    });
    this.#child = child;
    if (child.pid !== undefined) this.#tree = new ProcessTree(child.pid);
    this.#listen(child);
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    // An idle server keeps nobody's process alive.
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr])
      (stream as unknown as { readonly unref?: () => void }).unref?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdin } = this.#child ?? {};
      // What can't be sent to is lost, also before its end is heard of.
      const fail = (fault: Error): void => {
        this.#closed();
        reject(fault);
      };
      if (stdin === undefined || !stdin.writable || this.#isClosed)
        return fail(new ToolError("tool-failed", "the server has ended"));
      stdin.write(`${JSON.stringify(message)}\n`, (fault) => (fault ? fail(fault) : resolve()));
    });
  }

  /** Lets the program end by itself, else ends it, with all that it started. */
  async close(): Promise<void> {
    this.#child?.stdin.end();
    this.#closed();
    await this.#tree?.end(farewellMs, graceMs);
    this.#child?.stdout.destroy();
    this.#child?.stderr.destroy();
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    child.stdout.on("data", (chunk: Buffer) => this.#read(this.#decoder.write(chunk)));
    child.stderr.on("data", (chunk: Buffer) => this.#errors.push(chunk.toString("utf8")));
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on("error", (fault) => this.onerror?.(fault));
    child.once("exit", (code, signal) => {
      this.#ending = signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
      // Its children may hold its streams open; what it said last still arrives.
      const lingering = setTimeout(() => void this.close(), lingerMs);
      child.once("close", () => {
        clearTimeout(lingering);
        void this.close();
      });
    });
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  #read(text: string): void {
    for (const line of this.#line.push(text)) this.#readLine(line);
    if (this.#line.length <= maxMessageChars) return;
    this.#line.clear();
    this.#ending = TOO_LONG;
    void this.close();
  }

  #readLine(line: string): void {
    if (line.trim() === "" || this.#isClosed) return;
    const message = messageIn(line);
    if (message === undefined) this.#noise ??= plainText(line).slice(0, 200);
    else this.onmessage?.(message);
  }
}

function messageIn(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isMessage = typeof value === "object" && value !== null && "jsonrpc" in value;
    return isMessage ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}

const shared =
  "PATH HOME USER LOGNAME SHELL LANG LC_ALL TMPDIR SYSTEMROOT APPDATA LOCALAPPDATA PATHEXT TEMP USERPROFILE".split(
    " ",
  );

/** The few variables of the host that a server gets; everything else stays with it. */
function ownVariables(): Record<string, string> {
  return Object.fromEntries(
    shared.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
