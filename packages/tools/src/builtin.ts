import type { PluginPackage } from "@loopwright/core/plugin";

/** The built-in tools. */
export const tools: PluginPackage = {
  name: "@loopwright/tools",
  entries: [
    {
      kind: "tool",
      id: "ask-person",
      load: async () => (await import("./ask-person.ts")).askPerson,
    },
    {
      kind: "tool",
      id: "calculator",
      load: async () => (await import("./calculator.ts")).calculator,
    },
    {
      kind: "tool",
      id: "current-time",
      load: async () => (await import("./current-time.ts")).currentTime,
    },
    { kind: "tool", id: "http-get", load: async () => (await import("./http-get.ts")).httpGet },
    {
      kind: "tool",
      id: "http-request",
      load: async () => (await import("./http-request.ts")).httpRequest,
    },
    {
      kind: "tool",
      id: "javascript",
      load: async () => (await import("./javascript.ts")).javascript,
    },
    {
      kind: "tool",
      id: "list-files",
      load: async () => (await import("./list-files.ts")).listFiles,
    },
    { kind: "tool", id: "mcp", load: async () => (await import("./mcp.ts")).mcp },
    {
      kind: "service",
      id: "tools/mcp-connections",
      load: async () => (await import("./mcp-connections.ts")).mcpConnections,
    },
    { kind: "tool", id: "read-file", load: async () => (await import("./read-file.ts")).readFile },
    {
      kind: "tool",
      id: "reflection",
      load: async () => (await import("./reflection.ts")).reflection,
    },
    {
      kind: "tool",
      id: "search-files",
      load: async () => (await import("./search-files.ts")).searchFiles,
    },
    { kind: "tool", id: "shell", load: async () => (await import("./shell.ts")).shell },
    {
      kind: "tool",
      id: "sqlite-execute",
      load: async () => (await import("./sqlite-execute.ts")).sqliteExecute,
    },
    {
      kind: "tool",
      id: "sqlite-query",
      load: async () => (await import("./sqlite-query.ts")).sqliteQuery,
    },
    {
      kind: "tool",
      id: "web-search",
      load: async () => (await import("./web-search.ts")).webSearch,
    },
    {
      kind: "tool",
      id: "write-file",
      load: async () => (await import("./write-file.ts")).writeFile,
    },
  ],
};
