import type { RunEvent } from "../contracts/event.ts";
import type { Overflow, Sink } from "../contracts/sink.ts";
import { messageOf } from "../errors/loopwright-error.ts";

/** What a queue tells about its sink. */
export interface SinkReport {
  failed(message: string): void;
  dropped(count: number): void;
}

const flushDeadlineMs = 5_000;

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

  constructor(name: string, sink: Sink, overflow: Overflow, report: SinkReport) {
    this.name = name;
    this.#sink = sink;
    this.#overflow = overflow;
    this.#report = report;
  }

  push(event: RunEvent): void {
    const bytes = sizeOf(event);
    this.#waiting.push({ event, bytes });
    this.#bytes += bytes;
    if (this.isFull) this.#makeRoom();
    this.#draining ??= this.#drain();
  }

  get isFull(): boolean {
    return this.#waiting.length > this.#overflow.maxEvents || this.#bytes > this.#overflow.maxBytes;
  }

  /** Resolves at once unless the policy is `block` and the queue is full. */
  async room(): Promise<void> {
    if (this.#overflow.policy === "block" && this.isFull) await this.#draining;
  }

  /** Waits until the sink has taken everything, at most five seconds. */
  async flush(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), flushDeadlineMs);
    });
    const done = this.#draining?.then(() => this.#sink.flush?.()) ?? this.#sink.flush?.();
    const end = await Promise.race([
      Promise.resolve(done).catch((fault: unknown) => this.#fail(fault)),
      deadline,
    ]);
    clearTimeout(timer);
    if (end === "late")
      this.#fail(
        new Error(`still busy after ${flushDeadlineMs / 1000} s; its last events may be lost`),
      );
    if (this.#dropped > 0) this.#report.dropped(this.#dropped);
    this.#dropped = 0;
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    let next = this.#waiting.shift();
    while (next !== undefined) {
      this.#bytes -= next.bytes;
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

  /** Ends of scopes and facts about the run stay; deltas go first, then the oldest of the rest. */
  #makeRoom(): void {
    if (this.#overflow.policy === "block") return;
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter(({ event }) => event.name !== "model-call.delta");
    if (
      this.#overflow.policy === "drop-oldest" &&
      this.#waiting.length > this.#overflow.maxEvents
    ) {
      let excess = this.#waiting.length - this.#overflow.maxEvents;
      this.#waiting = this.#waiting.filter(({ event }) => {
        if (excess === 0 || isKept(event)) return true;
        excess -= 1;
        return false;
      });
    }
    this.#dropped += before - this.#waiting.length;
    this.#bytes = this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #fail(fault: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#report.failed(messageOf(fault));
  }
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
