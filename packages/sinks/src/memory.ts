import { count, defineSink, type SinkDefinition, Type } from "@loopwright/core/plugin";
import { createCollector } from "./memory/event-collector.ts";

const options = Type.Object({
  max: count({
    description: "How many events are kept; the oldest leave first.",
    default: 10_000,
  }),
});

/** Keeps events in an array, `events` of the instance, for tests and hosts. */
export const memory: SinkDefinition = defineSink({
  id: "memory",
  description: "Keeps events in memory, for tests and hosts.",
  options,
  create: ({ max }) => createCollector(max),
});
