import type { StandardSchemaV1 } from "@modelcontextprotocol/client";
import type { Client, StreamableHTTPClientTransport } from "./sdk.ts";
import type { ProgramTransport } from "./program-transport.ts";
import { CALL_HEADER, type FetchWatcher } from "./watched-fetch.ts";

/** The longest time that a timer holds; calls end with their signals. */
const noTimeoutMs = 2_147_483_647;
const goodbyeMs = 1_000;

/** The library's own schemas refuse a whole list for one odd tool; what comes is read by its readers. */
const anything: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "loopwright", validate: (value) => ({ value }) },
};

/** Thrown for a request whose answer will not come because the connection is lost. */
export class LostError extends Error {
  /** True where the server is known not to have taken the request. */
  readonly wasRefused: boolean;

  constructor(message: string, wasRefused: boolean) {
    super(message);
    this.name = "LostError";
    this.wasRefused = wasRefused;
  }
}

interface Pending {
  readonly fail: (fault: LostError) => void;
  hasEnded: boolean;
}

/** One connection to a server, from its first word to its loss. */
export class Link implements FetchWatcher {
  readonly #pending = new Map<string, Pending>();
  #client: Client | undefined;
  #transport: StreamableHTTPClientTransport | ProgramTransport | undefined;
  #count = 0;
  #isLost = false;
  #isRetired = false;

  /** Takes the client once it is connected. */
  open(client: Client, transport: StreamableHTTPClientTransport | ProgramTransport): void {
    this.#client = client;
    this.#transport = transport;
    // Its one way to hear of the end; it is no event target.
    Object.assign(client, { onclose: () => this.#lose("the server closed the connection") });
  }

  /** True once it is known that nothing more will come over it. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** The first line that a program printed beside its messages. */
  get noise(): string | undefined {
    return this.#transport !== undefined && "noise" in this.#transport
      ? this.#transport.noise
      : undefined;
  }

  /** Sends a request and gives its result, unread; throws a LostError where the connection is lost meanwhile. */
  async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<unknown> {
    const client = this.#client;
    if (client === undefined || this.#isLost) throw new LostError(this.#words(), true);
    const call = `${++this.#count}`;
    const lost = new Promise<never>((_, reject) => {
      this.#pending.set(call, { fail: reject, hasEnded: false });
    });
    lost.catch(() => undefined);
    const options = { signal, timeout: noTimeoutMs, headers: { [CALL_HEADER]: call } };
    try {
      const answer = client.request({ method, params }, anything, options);
      return await Promise.race([answer, lost]);
    } catch (fault) {
      signal.throwIfAborted();
      if (fault instanceof LostError || !this.#isLost) throw fault;
      throw new LostError(this.#words(), false);
    } finally {
      this.#pending.delete(call);
      if (this.#isRetired) this.retire();
    }
  }

  lost(call: string | undefined, fault: Error, wasRefused: boolean): void {
    this.#isLost = true;
    if (call !== undefined) this.#pending.get(call)?.fail(new LostError(fault.message, wasRefused));
    // What was to be taken up again will not come either.
    for (const pending of this.#pending.values())
      if (pending.hasEnded) pending.fail(new LostError(fault.message, false));
  }

  ended(call: string, canResume: boolean): void {
    const pending = this.#pending.get(call);
    if (pending === undefined) return;
    pending.hasEnded = true;
    if (canResume && !this.#isLost) return;
    this.#isLost = true;
    pending.fail(new LostError("the reply ended without an answer", false));
  }

  /** Closes it once nobody waits for an answer over it. */
  retire(): void {
    this.#isRetired = true;
    if (this.#pending.size === 0) void this.close().catch(() => undefined);
  }

  /** Ends the session and the program behind it. */
  async close(): Promise<void> {
    const [client, transport] = [this.#client, this.#transport];
    this.#client = undefined;
    if (transport !== undefined && "terminateSession" in transport && !this.#isLost)
      await goodbye(transport);
    this.#lose("the connection was closed");
    await client?.close();
    // The client lets go of it; its program may still be ending.
    await transport?.close();
  }

  #lose(why: string): void {
    this.#isLost = true;
    for (const pending of this.#pending.values())
      pending.fail(new LostError(this.#words(why), false));
  }

  #words(why = "the connection is lost"): string {
    const words =
      this.#transport !== undefined && "lastWords" in this.#transport
        ? this.#transport.lastWords
        : "";
    return words === "" ? why : `${why}: ${words.replace(/^; /u, "")}`;
  }
}

/** A server that does not answer is left. */
async function goodbye(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, goodbyeMs);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), enough]);
  clearTimeout(timer);
}
