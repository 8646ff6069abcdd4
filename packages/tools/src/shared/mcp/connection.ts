import { type Clock, type Effect, onAborted, ToolError } from "@loopwright/core/plugin";
import type { Link } from "./link.ts";
import { LostError } from "./link.ts";
import { lostCall } from "./lost-call.ts";

/** What a request does, and whether it may be made again where the connection is lost under it. */
export interface RequestSettings {
  readonly effect: Effect;
  readonly canRepeat: boolean;
  readonly signal: AbortSignal;
}

/**
 * The way to one server for all who use it: opened when it is first needed, and opened again, once for all who wait, after
 * it was lost. A request that was under way then is made again only where that can't do something twice.
 */
export class Connection {
  readonly #open: (closing: AbortSignal) => Promise<Link>;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  #link: Promise<Link> | undefined;
  #current: Link | undefined;
  #wasOpen = false;

  constructor(open: (closing: AbortSignal) => Promise<Link>, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  /** The first line that its program printed beside its messages. */
  get noise(): string | undefined {
    return this.#current?.noise;
  }

  /** Sends a request and gives its result, unread. */
  async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    { effect, canRepeat, signal }: RequestSettings,
  ): Promise<unknown> {
    const link = await this.#ready(signal);
    try {
      return await link.request(method, params, signal);
    } catch (fault) {
      if (!(fault instanceof LostError)) throw fault;
      if (!canRepeat) throw lostCall(fault, effect);
    }
    const again = await this.#ready(signal);
    return await again.request(method, params, signal).catch((fault: unknown) => {
      throw fault instanceof LostError ? lostCall(fault, effect) : fault;
    });
  }

  /** Closes it for good. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the app was closed"));
    const link = await this.#link?.catch(() => undefined);
    await link?.close();
  }

  /** A link that is not known to be lost; all who come meanwhile wait for the same one. */
  async #ready(signal: AbortSignal): Promise<Link> {
    signal.throwIfAborted();
    if (this.#current?.isLost === true) {
      this.#current.retire();
      this.#current = undefined;
      this.#link = undefined;
      this.#wasOpen = true;
    }
    this.#link ??= this.#connect(this.#wasOpen ? restartWaitsMs : []);
    return await leavable(this.#link, signal);
  }

  async #connect(waitsMs: readonly number[]): Promise<Link> {
    try {
      const link = await this.#openAgain(waitsMs);
      this.#current = link;
      return link;
    } catch (fault) {
      this.#link = undefined;
      throw fault;
    }
  }

  /** A server that was there may be on its way back. */
  async #openAgain([wait, ...waits]: readonly number[]): Promise<Link> {
    const { signal } = this.#closing;
    try {
      return await this.#open(signal);
    } catch (fault) {
      if (wait === undefined || !(fault instanceof ToolError) || !fault.retryable) throw fault;
    }
    const waited = new Promise<void>((resolve) => void this.#clock.after(wait, resolve));
    await leavable(waited, signal);
    return await this.#openAgain(waits);
  }
}

/** The waits between attempts to reach a server that was restarted. */
const restartWaitsMs: readonly number[] = [250, 500, 1_000, 2_000];

/** Waits for work that goes on for others when the signal aborts. */
function leavable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = onAborted(signal, () => reject(signal.reason as Error));
    work.then(resolve, reject).finally(release);
  });
}
