import type { CallEvents } from "./call-events.ts";
import type { LiveEvents } from "./live-events.ts";
import type { ScopeEvents } from "./scope-events.ts";
import type { WorkEvents } from "./work-events.ts";

export type * from "./event-parts.ts";

/** The catalogue: every event by name with its data. Scopes are `<noun>.start|delta|end`, facts are past participles. */
export interface EventData extends ScopeEvents, WorkEvents, CallEvents, LiveEvents {}

/** The name of an event. */
export type EventName = keyof EventData;

/** What every event carries; `time` is milliseconds since the epoch, `seq` counts from 0 within a run. */
export interface EventEnvelope<N extends EventName> {
  readonly v: 1;
  readonly id: string;
  readonly seq: number;
  readonly time: number;
  readonly runId: string;
  /** The scope the event opens, closes or belongs to. */
  readonly spanId: string;
  readonly parentId: string;
  /** The step key: equal on every replay of the run. */
  readonly key: string;
  readonly stage: string;
  readonly name: N;
  readonly data: EventData[N];
}

/** Any event of a run. */
export type RunEvent = { readonly [N in EventName]: EventEnvelope<N> }[EventName];
