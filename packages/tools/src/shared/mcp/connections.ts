import { defineToken, type Token } from "@loopwright/core/plugin";
import { Connection } from "./connection.ts";
import { type LinkTools, openLink } from "./open-link.ts";
import type { ServerSettings } from "./server-settings.ts";

/** The connections of an app to MCP servers: one for each way to reach one. */
export interface McpConnections {
  /** The connection to a server; nothing is opened yet. */
  to(settings: ServerSettings): Connection;
  close(): Promise<void>;
}

/** The connections of an app to MCP servers. */
export const McpConnections: Token<McpConnections> =
  defineToken<McpConnections>("tools/mcp-connections");

/** Makes the connections of an app; each is opened when it is first used. */
export function openConnections(tools: LinkTools): McpConnections {
  const connections = new Map<string, Connection>();
  return {
    to(settings) {
      const key = JSON.stringify(settings);
      const known = connections.get(key);
      if (known !== undefined) return known;
      const connection = new Connection(
        (closing) => openLink(settings, tools, closing),
        tools.clock,
      );
      connections.set(key, connection);
      return connection;
    },
    async close() {
      const open = [...connections.values()];
      connections.clear();
      await Promise.all(open.map((connection) => connection.close()));
    },
  };
}
