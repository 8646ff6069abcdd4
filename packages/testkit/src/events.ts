import type { EventName, RunEvent } from "@loopwright/core";

/** The names of events, in order: the shortest picture of a run. */
export function eventNames(
  events: readonly RunEvent[],
  options: { readonly without?: readonly EventName[] } = {},
): readonly string[] {
  const without = new Set<string>(options.without ?? []);
  return events.filter((event) => !without.has(event.name)).map((event) => label(event));
}

/** Names every scope that has not exactly one start and one end, and every event outside its parent's scope; empty when all is balanced. */
export function unbalanced(events: readonly RunEvent[]): readonly string[] {
  const open = new Set<string>();
  const closed = new Set<string>();
  const faults: string[] = [];
  for (const event of events) {
    const [noun, phase] = event.name.split(".");
    const scope = `${noun} ${event.spanId}`;
    if (phase === "start") {
      if (open.has(scope) || closed.has(scope)) faults.push(`${scope} starts twice`);
      open.add(scope);
    } else if (phase === "end") {
      if (!open.delete(scope)) faults.push(`${scope} ends without a start`);
      closed.add(scope);
    } else if (phase === "delta" && !open.has(scope))
      faults.push(`${scope} goes on outside its scope`);
  }
  for (const scope of open) faults.push(`${scope} never ends`);
  const last = events.at(-1)?.name;
  if (last !== "run.end" && last !== "events.dropped")
    faults.push(`the last event is ${last}, not run.end`);
  return faults;
}

/** What depends on the other runs of an app and on the time: waits for an account, and endpoints that are left alone. */
const surroundings: ReadonlySet<EventName> = new Set([
  "call.delayed",
  "breaker.opened",
  "tool.delayed",
  "tool.rested",
]);

/** Events without what differs between two equal runs: ids, times, order among concurrent branches, and what other runs cause. */
export function canonicalEvents(events: readonly RunEvent[]): readonly string[] {
  const own = events.filter(({ name }) => !surroundings.has(name));
  const lines = own.map((event) => {
    const {
      durationMs: _,
      requestHash: __,
      // What an app has learned of an endpoint decides where a call begins.
      layer: ___,
      ...data
    } = event.data as unknown as Record<string, unknown>;
    return {
      key: event.key,
      line: JSON.stringify([event.key, event.stage, event.name, data]).replaceAll(
        event.runId,
        "RUN",
      ),
    };
  });
  return lines
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ line }) => line);
}

function label(event: RunEvent): string {
  const noun = event.name.split(".")[0];
  if (noun === "stage") return `${event.name} ${event.stage}`;
  if (event.name === "tool-call.start" || event.name === "tool-call.end")
    return `${event.name} ${event.data.tool}`;
  return event.name;
}
