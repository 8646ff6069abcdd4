import type { JsonObject, ProviderRequest, ToolDescription } from "@loopwright/core/plugin";
import type { WireTurn } from "./message-wire.ts";
import { toWireSampling } from "./thinking-config.ts";
import { systemText, toolsOfHistory, toTurns } from "./wire-turns.ts";

/** What of a model's options decides about the body of a request. */
export interface RequestSettings {
  readonly stream: boolean;
  readonly cache: "none" | "auto";
  /** The tokens to think with; by the effort where left out. */
  readonly thinkingTokens?: number;
}

const CACHED = { cache_control: { type: "ephemeral" } } as const;

/** Translates a request to the body of `POST /v1/messages`. */
export function toMessagesRequest(request: ProviderRequest, settings: RequestSettings): JsonObject {
  const { model, messages } = request;
  const { fields, effort } = toWireSampling(request, settings.thinkingTokens);
  const isCached = settings.cache === "auto";
  const system = systemText(messages);
  const turns = toTurns(messages);
  const output = toOutputConfig(request, effort);
  return {
    model,
    ...fields,
    ...(system === ""
      ? {}
      : { system: [{ type: "text", text: system, ...(isCached ? CACHED : {}) }] }),
    ...toTools(request, isCached),
    // Where tools are offered the conversation goes on, and its next request begins with all of this one.
    messages: (isCached && request.tools.length > 0 ? withMark(turns) : turns) as never,
    ...(output === undefined ? {} : { output_config: output }),
    ...(settings.stream ? { stream: true } : {}),
  };
}

function toTools({ tools, messages }: ProviderRequest, isCached: boolean): JsonObject {
  if (tools.length > 0) return { tools: marked(tools.map(toTool), isCached) };
  const past = toolsOfHistory(messages);
  return past.length === 0 ? {} : { tools: past.map(toTool), tool_choice: { type: "none" } };
}

// Not `strict`: all strict tools become one grammar, which has a size that nobody can foresee, and core checks arguments.
function toTool({ name, description, input }: ToolDescription): JsonObject {
  const { anyOf, oneOf, allOf, ...schema } = input;
  const choices = Object.entries({ anyOf, oneOf, allOf }).filter(
    ([, value]) => value !== undefined,
  );
  const input_schema = { ...schema, type: "object" };
  if (choices.length === 0) return { name, description, input_schema };
  // The protocol refuses a choice at the root, and with it the whole request.
  const said = JSON.stringify(Object.fromEntries(choices));
  return { name, description: `${description}\n\nThe input also fits ${said}.`, input_schema };
}

/** A mark on the last block caches all that stands before it. */
function withMark(turns: readonly WireTurn[]): readonly WireTurn[] {
  return turns.map((turn, index) =>
    index === turns.length - 1 ? { ...turn, content: marked(turn.content, true) } : turn,
  );
}

function marked(blocks: readonly JsonObject[], isCached: boolean): readonly JsonObject[] {
  if (!isCached) return blocks;
  return blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...block, ...CACHED } : block,
  );
}

/** JSON of any shape can't be asked for: only a schema, or words. */
function toOutputConfig(
  { output }: ProviderRequest,
  effort: string | undefined,
): JsonObject | undefined {
  const hasSchema = output?.layer === "json-schema";
  if (!hasSchema && effort === undefined) return undefined;
  return {
    ...(effort === undefined ? {} : { effort }),
    ...(hasSchema ? { format: { type: "json_schema", schema: output.schema } } : {}),
  };
}
