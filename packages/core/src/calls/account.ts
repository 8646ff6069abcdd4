import type { LimitFunction } from "p-limit";
import type { EventData } from "../contracts/event.ts";
import type { Clock } from "../contracts/service.ts";
import { ProviderError } from "../errors/loopwright-error.ts";
import type { CallPolicy } from "../program/program.ts";
import { wholeSeconds } from "../spec/text/duration-text.ts";
import { maxHoldMs } from "./hold.ts";
import { type AccountRate, earliestStart, type Sent } from "./rate-log.ts";
import { steadyNow } from "./steady-time.ts";
import { onAborted } from "./until-aborted.ts";

/** A call that wants to go out. */
export interface Asking {
  /** The model's id, for faults. */
  readonly model: string;
  /** What the call is reckoned to take. */
  readonly tokens: number;
  readonly signal: AbortSignal;
  /** Longer than this it does not wait because the endpoint asked to: it fails instead. */
  readonly patienceMs: number;
  /** Told before a wait whose length is known, and after one for other calls. */
  readonly tell: (reason: EventData["call.delayed"]["reason"], waitMs: number) => void;
}

/** The right of one call to be under way. */
export interface Pass {
  /** Gives it back, with the tokens that the call took where they are known. */
  leave(tokens?: number): void;
  /** Gives it back for a call that was not sent after all: it counts in no span. */
  drop(): void;
}

/** What is said about an account. */
export type AccountPolicy = Pick<CallPolicy, "rateLimit" | "tokenRate" | "maxParallel">;

/** When a call may go out, and what it waits for. */
interface Turn {
  readonly at: number;
  readonly reason: EventData["call.delayed"]["reason"];
}

interface Waiter {
  readonly asking: Asking;
  readonly go: (sent: Sent) => void;
  readonly fail: (fault: Error) => void;
}

/** What one account of an endpoint allows, shared by all that call there. */
export class Account {
  readonly #clock: Clock;
  readonly #rates: AccountRate[] = [];
  #maxParallel = Number.POSITIVE_INFINITY;
  #parallel: LimitFunction | undefined;
  #pausedUntil = 0;
  /** What went out and still counts in a span. */
  #sent: Sent[] = [];
  /** In the order in which they asked. */
  #queue: Waiter[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds what a spec says about the account: every rate holds, and the least number of calls under way. */
  restrict({ rateLimit, tokenRate, maxParallel }: AccountPolicy): void {
    if (rateLimit !== undefined) this.#addRate({ ...rateLimit, of: "requests" });
    if (tokenRate !== undefined) this.#addRate({ ...tokenRate, of: "tokens" });
    this.#maxParallel = Math.min(this.#maxParallel, maxParallel ?? this.#maxParallel);
    if (this.#parallel !== undefined) this.#parallel.concurrency = this.#maxParallel;
  }

  /** True where nothing is limited and nothing asked to wait: then a call just goes. */
  get isFree(): boolean {
    return (
      this.#rates.length === 0 &&
      this.#pausedUntil === 0 &&
      this.#maxParallel === Number.POSITIVE_INFINITY
    );
  }

  /** True where calls are reckoned in tokens. */
  get countsTokens(): boolean {
    return this.#rates.some((rate) => rate.of === "tokens");
  }

  /** Lets a call go out when every limit holds it; ends with its signal. */
  async enter(asking: Asking): Promise<Pass> {
    const isOpen = this.#maxParallel === Number.POSITIVE_INFINITY;
    const giveBack = isOpen ? undefined : await this.#slot(asking);
    try {
      const sent = await this.#turn(asking);
      return {
        leave: (tokens) => {
          if (tokens !== undefined) sent.tokens = tokens;
          giveBack?.();
          this.#pump();
        },
        drop: () => {
          this.#sent = this.#sent.filter((one) => one !== sent);
          giveBack?.();
          this.#pump();
        },
      };
    } catch (fault) {
      giveBack?.();
      throw fault;
    }
  }

  /** Holds every call back, because the endpoint asked to, ten minutes at most; calls that would not wait so long fail. */
  pause(asked: number): void {
    const ms = Math.min(asked, maxHoldMs);
    const until = steadyNow(this.#clock) + ms;
    if (until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    const all = this.#queue;
    this.#queue = all.filter(({ asking }) => asking.patienceMs >= ms);
    for (const { asking, fail } of all) if (asking.patienceMs < ms) fail(this.#paused(asking, ms));
    this.#pump();
  }

  #addRate(rate: AccountRate): void {
    const isKnown = this.#rates.some(
      ({ of, count, perMs }) => of === rate.of && count === rate.count && perMs === rate.perMs,
    );
    if (!isKnown) this.#rates.push(rate);
  }

  /** Waits until fewer calls are under way than may be; resolves to the way out. */
  async #slot({ signal, tell }: Asking): Promise<() => void> {
    const askedAt = steadyNow(this.#clock);
    // Loaded where a spec limits the calls under way: most do not.
    const { default: pLimit } = await import("p-limit");
    const limit = (this.#parallel ??= pLimit(this.#maxParallel));
    return await new Promise((resolve, reject) => {
      let isGone = false;
      signal.throwIfAborted();
      const release = onAborted(signal, () => {
        isGone = true;
        reject(signal.reason as Error);
      });
      const hold = (): Promise<void> | undefined => {
        if (isGone) return undefined;
        release();
        const waitedMs = steadyNow(this.#clock) - askedAt;
        if (waitedMs > 0) tell("parallel", waitedMs);
        return new Promise((over) => resolve(over));
      };
      void limit(hold);
    });
  }

  /** Waits for its turn in the rates and for the end of a pause. */
  #turn(asking: Asking): Sent | Promise<Sent> {
    const now = steadyNow(this.#clock);
    const pauseMs = this.#pausedUntil - now;
    if (pauseMs > asking.patienceMs) throw this.#paused(asking, pauseMs);
    if (this.#queue.length === 0 && this.#startOf(asking.tokens, this.#sent, now).at <= now)
      return this.#send(now, asking.tokens);
    return new Promise((resolve, reject) => {
      asking.signal.throwIfAborted();
      const release = onAborted(asking.signal, () => {
        this.#queue = this.#queue.filter((one) => one !== waiter);
        reject(asking.signal.reason as Error);
        this.#pump();
      });
      const ending =
        <T>(then: (value: T) => void) =>
        (value: T): void => {
          release();
          then(value);
        };
      const waiter: Waiter = { asking, go: ending(resolve), fail: ending(reject) };
      this.#queue.push(waiter);
      const { at, reason } = this.#planFor(waiter, now);
      asking.tell(reason, at - now);
      this.#pump();
    });
  }

  #startOf(tokens: number, sent: readonly Sent[], now: number): Turn {
    const last = sent.at(-1)?.at ?? now;
    const start = earliestStart(sent, tokens, this.#rates, Math.max(now, last));
    return this.#pausedUntil > start.at ? { at: this.#pausedUntil, reason: "retry-after" } : start;
  }

  /** When a waiter will go if all before it take what they were reckoned to. */
  #planFor(waiter: Waiter, now: number): Turn {
    const sent = [...this.#sent];
    let start = this.#startOf(0, sent, now);
    for (const one of this.#queue) {
      start = this.#startOf(one.asking.tokens, sent, now);
      if (one === waiter) break;
      sent.push({ at: start.at, tokens: one.asking.tokens });
    }
    return start;
  }

  /** Lets go who may, in their order, and waits for the next one's time. */
  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const now = steadyNow(this.#clock);
      const { at } = this.#startOf(next.asking.tokens, this.#sent, now);
      if (at > now) {
        this.#cancelTimer = this.#clock.after(at - now, () => this.#pump());
        return;
      }
      this.#queue.shift();
      next.go(this.#send(now, next.asking.tokens));
    }
  }

  #send(now: number, tokens: number): Sent {
    if (this.#pausedUntil <= now) this.#pausedUntil = 0;
    const sent = { at: now, tokens };
    if (this.#rates.length === 0) return sent;
    const longest = Math.max(...this.#rates.map(({ perMs }) => perMs));
    const kept = this.#sent.findIndex(({ at }) => at + longest > now);
    this.#sent = kept === 0 ? this.#sent : kept < 0 ? [] : this.#sent.slice(kept);
    this.#sent.push(sent);
    return sent;
  }

  #paused({ model }: Asking, ms: number): ProviderError {
    return new ProviderError(
      "provider-unavailable",
      `${model}: the endpoint asked all calls of the account to wait, for ${wholeSeconds(ms)} more; try again then, or raise \`retry.max\` of the model`,
      { retryable: true, details: { waitMs: ms, isHeldBack: true } },
    );
  }
}
