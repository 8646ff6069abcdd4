import {
  type ListedTool,
  messageOf,
  ToolError,
  type Effect,
  type JsonObject,
} from "@loopwright/core/plugin";
import { matchesName } from "../shared/glob.ts";
import type { Connection, RequestSettings } from "../shared/mcp/connection.ts";
import { plainText } from "../shared/mcp/kept-lines.ts";
import { readResult } from "./read-result.ts";
import { readPage, type ServerTool } from "./read-tools.ts";

const maxPages = 100;
const maxTools = 1_000;
const maxFaultChars = 2_000;

/** What an entry of a spec wants of a server. */
interface WantedTools {
  readonly only?: readonly string[] | undefined;
  readonly effect?: Effect | undefined;
}

/** Lists the tools of a server, page by page, that an entry of the spec wants. */
export async function listTools(
  connection: Connection,
  { only, effect }: WantedTools,
  signal: AbortSignal,
): Promise<readonly ListedTool[]> {
  const tools = await allTools(connection, signal);
  const wanted =
    only === undefined
      ? tools
      : tools.filter(({ name }) => only.some((pattern) => matchesName(pattern, name)));
  if (tools.length > 0 && wanted.length === 0) throw nothingWanted(only ?? [], tools);
  return wanted.map((tool) => ({
    ...tool,
    effect: effect ?? tool.effect,
    run: (input, call) =>
      callTool(connection, { ...tool, effect: effect ?? tool.effect }, input, call.signal),
  }));
}

async function allTools(
  connection: Connection,
  signal: AbortSignal,
): Promise<readonly ServerTool[]> {
  const tools: ServerTool[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; count < maxPages; count++) {
    const params = cursor === undefined ? {} : { cursor };
    // A cursor is of its session: after a loss the list begins anew.
    const canRepeat = cursor === undefined;
    const result = await request(connection, "tools/list", params, {
      effect: "read",
      canRepeat,
      signal,
    });
    const { tools: page, next } = readPage(result);
    for (const tool of page) tools.push(tool);
    if (tools.length > maxTools) throw tooMany(`it lists more than ${maxTools} tools`);
    if (next === undefined) return tools;
    if (seen.has(next)) throw tooMany("it repeats its pages");
    seen.add(next);
    cursor = next;
  }
  throw tooMany(`it lists more than ${maxPages} pages`);
}

async function callTool(
  connection: Connection,
  tool: ServerTool,
  input: JsonObject,
  signal: AbortSignal,
): Promise<unknown> {
  const params = { name: tool.name, arguments: input };
  const { effect } = tool;
  const settings = { effect, canRepeat: effect !== "once", signal };
  const result = await request(connection, "tools/call", params, settings);
  return readResult(result, tool.output !== undefined);
}

/** Faults of the library are told in plain words; its codes are of no use to a model. */
async function request(
  connection: Connection,
  method: string,
  params: Readonly<Record<string, unknown>>,
  settings: RequestSettings,
): Promise<unknown> {
  try {
    return await connection.request(method, params, settings);
  } catch (fault) {
    settings.signal.throwIfAborted();
    if (fault instanceof ToolError) throw fault;
    const message = plainText(messageOf(fault)).slice(0, maxFaultChars);
    throw new ToolError("tool-failed", `the server refused it: ${message}`, { cause: fault });
  }
}

function tooMany(why: string): ToolError {
  return new ToolError("tool-failed", `the list of the server has no end: ${why}`);
}

function nothingWanted(only: readonly string[], tools: readonly ServerTool[]): ToolError {
  const names = tools.slice(0, 20).map(({ name }) => plainText(name).slice(0, 64));
  const rest = tools.length > names.length ? ` and ${tools.length - names.length} more` : "";
  return new ToolError(
    "tool-failed",
    `\`only: [${only.join(", ")}]\` fits none of the server's tools; it has ${names.join(", ")}${rest}`,
  );
}
