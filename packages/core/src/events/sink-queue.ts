import type { RunEvent } from "../contracts/event.ts";
import type { Overflow, Sink } from "../contracts/sink.ts";
import type { Clock } from "../contracts/service.ts";
import { messageOf } from "../errors/loopwright-error.ts";

/** What a queue tells about its sink. */
export interface SinkReport {
  failed(message: string): void;
  dropped(count: number): void;
}

/** Four times over what may wait, every policy that does not hold the run back drops all that it may lose. */
const floodFactor = 4;
const deadlineMs = 5_000;
const BUSY = `still busy after ${deadlineMs / 1000} s`;

/** Stands between a run and one sink: takes events without waiting, hands them on one at a time. */
export class SinkQueue {
  readonly name: string;
  readonly #sink: Sink;
  readonly #overflow: Overflow;
  readonly #report: SinkReport;
  #waiting: { readonly event: RunEvent; readonly bytes: number }[] = [];
  #bytes = 0;
  #dropped = 0;
  #draining: Promise<void> | undefined;
  #hasFailed = false;
  #blocks: boolean;
  /** How many of the waiting events the policy may drop. */
  #droppable = 0;
  /** How many of them may be dropped in a flood. */
  #expendable = 0;
  readonly #clock: Clock;

  constructor(options: {
    readonly name: string;
    readonly sink: Sink;
    readonly overflow: Overflow;
    readonly clock: Clock;
    readonly report: SinkReport;
  }) {
    this.name = options.name;
    this.#sink = options.sink;
    this.#overflow = options.overflow;
    this.#blocks = options.overflow.policy === "block";
    this.#clock = options.clock;
    this.#report = options.report;
  }

  push(event: RunEvent): void {
    if (!this.#isWanted(event)) return;
    const bytes = sizeOf(event);
    this.#waiting.push({ event, bytes });
    this.#count(event, bytes, 1);
    if (this.isFull && this.#droppable > 0) this.#makeRoom();
    if (this.#isFlooded(this.#waiting.length) && this.#expendable > 0) {
      this.#drop((one, count) => this.#isFlooded(count) && !isKept(one));
    }
    this.#draining ??= this.#drain();
  }

  #isWanted(event: RunEvent): boolean {
    try {
      return this.#sink.wants?.(event) !== false;
    } catch (fault) {
      this.#fail(fault);
      return true;
    }
  }

  get isFull(): boolean {
    return this.#isOver(this.#waiting.length);
  }

  #isOver(count: number, factor = 1): boolean {
    const { maxEvents, maxBytes } = this.#overflow;
    return count > factor * maxEvents || this.#bytes > factor * maxBytes;
  }

  #isFlooded(count: number): boolean {
    return !this.#blocks && this.#isOver(count, floodFactor);
  }

  #count(event: RunEvent, bytes: number, sign: 1 | -1): void {
    this.#bytes += sign * bytes;
    if (this.#mayDrop(event)) this.#droppable += sign;
    if (!isKept(event)) this.#expendable += sign;
  }

  /** Resolves at once unless the policy is `block` and the queue is full; a sink that takes nothing for five seconds blocks no more. */
  async room(): Promise<void> {
    while (this.#blocks && this.isFull && this.#draining !== undefined) {
      const before = this.#waiting.length;
      if ((await this.#within(this.#draining)) === "done") return;
      if (this.#waiting.length < before) continue;
      this.#blocks = false;
      this.#fail(new Error(`${BUSY}; the run goes on without waiting for it`));
    }
  }

  /** Waits until the sink has taken everything, at most five seconds. */
  async flush(): Promise<void> {
    const end = await this.#within(this.#flushed());
    if (end === "late") this.#fail(new Error(`${BUSY}; its last events may be lost`));
    if (this.#dropped > 0) this.#report.dropped(this.#dropped);
    this.#dropped = 0;
  }

  async #flushed(): Promise<void> {
    await this.#draining;
    try {
      await this.#sink.flush?.();
    } catch (fault) {
      this.#fail(fault);
    }
  }

  async #within(work: Promise<void>): Promise<"done" | "late"> {
    let cancel: (() => void) | undefined;
    const late = new Promise<"late">((resolve) => {
      cancel = this.#clock.after(deadlineMs, () => resolve("late"));
    });
    const end = await Promise.race([work.then(() => "done" as const), late]);
    cancel?.();
    return end;
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    let next = this.#waiting.shift();
    while (next !== undefined) {
      this.#count(next.event, next.bytes, -1);
      try {
        const pending = this.#sink.handle(next.event);
        if (pending !== undefined) await pending;
      } catch (fault) {
        this.#fail(fault);
      }
      next = this.#waiting.shift();
    }
    this.#draining = undefined;
  }

  #mayDrop(event: RunEvent): boolean {
    const { policy } = this.#overflow;
    return policy === "drop-oldest" ? !isKept(event) : policy === "drop-deltas" && isDelta(event);
  }

  /** Ends of scopes and facts about the run stay; deltas go first, then the oldest of the rest. */
  #makeRoom(): void {
    this.#drop(isDelta);
    this.#drop((event, count) => this.#isOver(count) && this.#mayDrop(event));
  }

  #drop(isUnwanted: (event: RunEvent, count: number) => boolean): void {
    let count = this.#waiting.length;
    this.#waiting = this.#waiting.filter(({ event, bytes }) => {
      if (!isUnwanted(event, count)) return true;
      count -= 1;
      this.#count(event, bytes, -1);
      this.#dropped += 1;
      return false;
    });
  }

  #fail(fault: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#report.failed(messageOf(fault));
  }
}

function isDelta(event: RunEvent): boolean {
  return event.name === "model-call.delta";
}

function isKept(event: RunEvent): boolean {
  return event.name.endsWith(".end") || event.name.startsWith("run.");
}

function sizeOf(event: RunEvent): number {
  if (event.name === "model-call.delta") return 200 + event.data.text.length;
  if (event.name === "observation.recorded") return 400 + event.data.content.length;
  if (event.name === "model-call.start")
    return event.data.messages.reduce((sum, m) => sum + m.text.length + 50, 500);
  if (event.name === "model-call.end")
    return 500 + event.data.text.length + event.data.reasoning.length;
  return 1_000;
}
