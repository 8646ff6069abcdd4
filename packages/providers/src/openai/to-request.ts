import type {
  AssistantMessage,
  JsonObject,
  Message,
  ProviderRequest,
  Sampling,
  ToolCall,
  ToolDescription,
} from "@loopwright/core/plugin";
import type { Profile } from "./profiles.ts";
import { isStrictSchema } from "./strict-schema.ts";

/** Translates a request to the body of a chat completion. */
export function toRequest(request: ProviderRequest, profile: Profile, stream: boolean): JsonObject {
  const format = toResponseFormat(request, profile);
  return {
    model: request.model,
    messages: request.messages.map(toWireMessage),
    ...(request.tools.length === 0
      ? {}
      : { tools: request.tools.map((tool) => toWireTool(tool, profile)) }),
    ...(format === undefined ? {} : { response_format: format }),
    ...toWireSampling(request.sampling, profile),
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
}

function toWireMessage(message: Message): JsonObject {
  switch (message.role) {
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.text };
    case "assistant":
      return toAssistantMessage(message);
    default:
      return { role: message.role, content: message.text };
  }
}

/** A conversation is sent again with each step, and its messages never change. */
const translated = new WeakMap<AssistantMessage, JsonObject>();

function toAssistantMessage(message: AssistantMessage): JsonObject {
  const { toolCalls: calls, text, opaque } = message;
  if (calls.length === 0) return { ...opaque, role: "assistant", content: text };
  const known = translated.get(message);
  if (known !== undefined) return known;
  const content = text === "" ? null : text;
  const made = { ...opaque, role: "assistant", content, tool_calls: calls.map(toWireCall) };
  translated.set(message, made);
  return made;
}

function toWireCall(call: ToolCall): JsonObject {
  return {
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: toReadableArguments(call.arguments) },
  };
}

/** Servers refuse a history whose arguments they can't read, so unreadable ones are wrapped. */
function toReadableArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return text;
  } catch {
    return JSON.stringify({ unreadable: text });
  }
  return JSON.stringify({ unreadable: text });
}

function toWireTool(tool: ToolDescription, profile: Profile): JsonObject {
  const { name, description, input } = tool;
  return {
    type: "function",
    function: { name, description, parameters: input, ...profile.toolFields },
  };
}

function toResponseFormat(request: ProviderRequest, profile: Profile): JsonObject | undefined {
  const { output, tools } = request;
  if (output === undefined || profile.structured === "prompt") return undefined;
  if (tools.length > 0 && !profile.schemaBesideTools) return undefined;
  const isRootObject = output.schema["type"] === "object";
  if (profile.structured === "json-mode") return isRootObject ? { type: "json_object" } : undefined;
  if (profile.strictSchemas && !isRootObject) return undefined;
  const name = output.name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
  const strict = profile.strictSchemas && isStrictSchema(output.schema);
  return { type: "json_schema", json_schema: { name, strict, schema: output.schema } };
}

function toWireSampling(sampling: Sampling, profile: Profile): JsonObject {
  const { temperature, maxTokens, effort, stop = [] } = sampling;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { [profile.maxTokensField]: maxTokens }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(effort === "none" ? profile.withoutReasoning : {}),
    ...(effort === undefined || effort === "none" ? {} : { reasoning_effort: effort }),
  };
}
