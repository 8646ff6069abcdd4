import { defineSink, type RunEvent, type SinkDefinition, Type } from "@loopwright/core/plugin";
import { createCollector } from "./event-collector.ts";

const MAX_EVENTS = 10_000;

/**
 * A sink plugin whose events a test or a host reads directly: every program that names it fills the one array.
 *
 * Contract: `events` is live, in order of arrival over all runs; the oldest leave beyond `max`.
 */
export function memorySink(
  id: string = "memory",
  max: number = MAX_EVENTS,
): { readonly definition: SinkDefinition; readonly events: readonly RunEvent[] } {
  const collector = createCollector(max);
  const definition = defineSink({
    id,
    description: "Keeps events where the host that made it reads them.",
    options: Type.Object({}),
    create: () => collector,
  });
  return { definition, events: collector.events };
}
