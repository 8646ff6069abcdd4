import type { Static, TObject } from "@sinclair/typebox";
import type { RunEvent } from "./event.ts";
import type { Inject, Services } from "./token.ts";

/**
 * Listens to a run.
 *
 * Contract: events arrive one at a time, in order, frozen; what `handle` throws is told on the terminal and never
 * reaches the run; `flush` is awaited, with a deadline, before a run's outcome is given to the host.
 */
export interface Sink {
  handle(event: RunEvent): void | Promise<void>;
  flush?(): void | Promise<void>;
  close?(): void | Promise<void>;
}

/** How much may wait for a slow sink, and what happens then; ends of scopes and facts about the run are never dropped. */
export interface Overflow {
  readonly maxEvents: number;
  readonly maxBytes: number;
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

/** Declares a sink. Contract: `create` is synchronous; it is called once per program and entry, and serves all its runs. */
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
