import type { PluginPackage } from "@loopwright/core/plugin";

/** The built-in sinks, each loaded when a spec names it. */
export const sinks: PluginPackage = {
  name: "@loopwright/sinks",
  entries: [
    { kind: "sink", id: "console", load: async () => (await import("./console.ts")).consoleSink },
    { kind: "sink", id: "jsonl", load: async () => (await import("./jsonl.ts")).jsonl },
    { kind: "sink", id: "memory", load: async () => (await import("./memory.ts")).memory },
  ],
};
