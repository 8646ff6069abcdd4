import { Clock, defineService, Fetch, type ServiceDefinition } from "@loopwright/core/plugin";
import { McpConnections, openConnections } from "./shared/mcp/connections.ts";

/** The connections to MCP servers that the tools of an app share; its programs and sessions end with the app. */
export const mcpConnections: ServiceDefinition = defineService({
  token: McpConnections,
  inject: { fetch: Fetch, clock: Clock },
  create: openConnections,
  dispose: (connections) => connections.close(),
});
