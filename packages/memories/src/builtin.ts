import type { PluginPackage } from "@loopwright/core/plugin";

/** The built-in memories, each loaded when a spec names it. */
export const memories: PluginPackage = {
  name: "@loopwright/memories",
  entries: [
    { kind: "memory", id: "file", load: async () => (await import("./file.ts")).file },
    {
      kind: "memory",
      id: "in-process",
      load: async () => (await import("./in-process.ts")).inProcess,
    },
  ],
};
