import type { ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
}

/** The few words of the protocol that a benchmark needs to play an editor. */
export class EditorWire {
  readonly #out: Writable;
  readonly #replies = new Map<number, (result: unknown) => void>();
  readonly #awaited = new Map<string, (() => void)[]>();
  #received = Buffer.alloc(0);
  #sent = 0;

  constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#out = child.stdin;
    child.stdout.on("data", (piece: Buffer) => {
      this.#received = Buffer.concat([this.#received, piece]);
      for (let message = this.#take(); message !== undefined; message = this.#take())
        this.#hear(message);
    });
  }

  request(method: string, params: object): Promise<unknown> {
    this.#sent += 1;
    const id = this.#sent;
    this.#write({ jsonrpc: "2.0", id, method, params });
    return new Promise((resolve) => {
      this.#replies.set(id, resolve);
    });
  }

  notify(method: string, params: object): void {
    this.#write({ jsonrpc: "2.0", method, params });
  }

  /** The next notification of a method. */
  next(method: string): Promise<void> {
    return new Promise((resolve) => {
      this.#awaited.set(method, [...(this.#awaited.get(method) ?? []), resolve]);
    });
  }

  #write(message: object): void {
    const text = JSON.stringify(message);
    this.#out.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #take(): Message | undefined {
    const head = this.#received.indexOf("\r\n\r\n");
    if (head === -1) return undefined;
    const length = Number(
      /Content-Length: (\d+)/i.exec(this.#received.toString("utf8", 0, head))?.[1],
    );
    const end = head + 4 + length;
    if (this.#received.length < end) return undefined;
    const text = this.#received.toString("utf8", head + 4, end);
    this.#received = this.#received.subarray(end);
    return JSON.parse(text) as Message;
  }

  #hear({ id, method, result }: Message): void {
    if (method !== undefined) {
      const awaited = this.#awaited.get(method) ?? [];
      this.#awaited.delete(method);
      for (const resolve of awaited) resolve();
    } else if (id !== undefined) {
      this.#replies.get(id)?.(result);
      this.#replies.delete(id);
    }
  }
}
