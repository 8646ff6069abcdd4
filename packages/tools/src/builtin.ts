import type { PluginPackage } from "@loopwright/core/plugin";

/** The built-in tools. */
export const tools: PluginPackage = {
  name: "@loopwright/tools",
  entries: [
    {
      kind: "tool",
      id: "calculator",
      load: async () => (await import("./calculator.ts")).calculator,
    },
    { kind: "tool", id: "http-get", load: async () => (await import("./http-get.ts")).httpGet },
    { kind: "tool", id: "read-file", load: async () => (await import("./read-file.ts")).readFile },
    {
      kind: "tool",
      id: "reflection",
      load: async () => (await import("./reflection.ts")).reflection,
    },
  ],
};
