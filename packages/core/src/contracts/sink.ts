import type { Static, TObject } from "@sinclair/typebox";
import type { RunEvent } from "./event.ts";
import type { Inject, Services } from "./token.ts";

/**
 * Listens to a run.
 *
 * Contract: events arrive one at a time, in order, frozen; what `handle` or `flush` throws is told once a run, as the
 * event `sink.failed`, and never reaches the run; `flush` is awaited, at most five seconds, before a run's outcome is
 * given to the host; `close` is called once, after the last run, and awaited as long; what it throws is a warning of the
 * process.
 */
export interface Sink {
  /** False for an event that the sink has no use for: it is not handed on, takes no room, and is not counted as lost. Asked of each event, at once and in order. */
  wants?(event: RunEvent): boolean;
  handle(event: RunEvent): void | Promise<void>;
  flush?(): void | Promise<void>;
  close?(): void | Promise<void>;
}

/**
 * How much may wait for a slow sink, and what happens then; what was dropped is counted by the event `events.dropped`.
 * Ends of scopes and `run.*` are never dropped, and no more of them wait than the run's limits let it have.
 */
export interface Overflow {
  readonly maxEvents: number;
  readonly maxBytes: number;
  /**
   * `drop-deltas` loses deltas alone, `drop-oldest` then the oldest of the rest; `block` holds the run back before its
   * next verb, and loses nothing until the sink has taken nothing for five seconds. Where four times as much waits,
   * `drop-deltas`, and a `block` that was given up, lose the oldest of the rest too.
   */
  readonly policy: "drop-deltas" | "drop-oldest" | "block";
}

/** A sink plugin. */
export interface SinkDefinition {
  readonly kind: "sink";
  readonly id: string;
  readonly description: string;
  readonly options: TObject;
  readonly overflow: Overflow;
  readonly inject: Inject;
  readonly create: (options: never, services: never) => Sink;
}

const DEFAULT_OVERFLOW: Overflow = {
  maxEvents: 10_000,
  maxBytes: 16_000_000,
  policy: "drop-deltas",
};

/** Declares a sink. Contract: `create` is synchronous; it is called once per program and entry, also for entries with equal options, and serves all runs. */
export function defineSink<
  O extends TObject,
  const I extends Inject = Record<never, never>,
>(definition: {
  readonly id: string;
  readonly description: string;
  readonly options: O;
  readonly overflow?: Overflow;
  readonly inject?: I;
  readonly create: (options: Static<O>, services: Services<I>) => Sink;
}): SinkDefinition {
  return { kind: "sink", inject: {}, overflow: DEFAULT_OVERFLOW, ...definition };
}
