export { sinks } from "./builtin.ts";
export type { EventCollector } from "./memory/event-collector.ts";
export { memorySink } from "./memory/memory-sink.ts";
