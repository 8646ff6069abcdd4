import type { ToolEntry } from "./program.ts";

/** The id by which a spec names an agent as a tool. */
export const agentToolId: string = "agent";

/** The key of an agent tool in `Program.agents`. */
export function agentKey(tool: string): string {
  return `tool:${tool}`;
}

/** True for a tool that runs another agent. */
export function isAgentTool({ definition }: ToolEntry): boolean {
  return definition.id === agentToolId;
}
