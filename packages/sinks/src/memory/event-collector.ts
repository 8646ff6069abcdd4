import type { RunEvent, Sink } from "@loopwright/core/plugin";

/** A sink whose events can be read. */
export interface EventCollector extends Sink {
  /** What was heard, in order; the oldest leave when there are too many. */
  readonly events: readonly RunEvent[];
}

/** Creates a sink that keeps the last `max` events. */
export function createCollector(max: number): EventCollector {
  const events: RunEvent[] = [];
  return {
    events,
    handle(event) {
      events.push(event);
      if (events.length > max) events.splice(0, events.length - max);
    },
  };
}
