import type { ConstraintLayer, JsonObject, ProviderRequest } from "@loopwright/core/plugin";
import type { Profile } from "./profile-fields.ts";
import { thinkingOf } from "./thinking.ts";
import { toWireMessages } from "./to-messages.ts";
import { toWireTool } from "./to-tools.ts";

/** Translates a request to the body of a chat completion. */
export function toRequest(request: ProviderRequest, profile: Profile, stream: boolean): JsonObject {
  const thinking = thinkingOf(request, profile, stream);
  const format = toResponseFormat(request, profile);
  const fields = {
    ...(format === undefined ? {} : { response_format: format }),
    ...toWireSampling(request, profile),
  };
  const kept = Object.entries(fields).filter(
    ([name]) => !thinking.isOn || !profile.notWhileThinking.includes(name),
  );
  return {
    model: request.model,
    messages: toWireMessages(request.messages, profile),
    ...toOfferedTools(request, profile, stream),
    ...Object.fromEntries(kept),
    ...thinking.fields,
    ...(stream ? { stream: true } : {}),
    ...(stream && profile.streamUsage ? { stream_options: { include_usage: true } } : {}),
  };
}

/** The layer on which a request asks for the form of the reply: words alone where the endpoint refuses the form to a model that thinks. */
export function layerOf(
  request: Pick<ProviderRequest, "model" | "output" | "sampling">,
  profile: Profile,
  stream: boolean,
): ConstraintLayer | undefined {
  const isBarred = profile.notWhileThinking.includes("response_format");
  return isBarred && thinkingOf(request, profile, stream).isOn ? "prompt" : request.output?.layer;
}

function toOfferedTools({ tools }: ProviderRequest, profile: Profile, stream: boolean): JsonObject {
  if (tools.length === 0) return {};
  const { parallelCalls, toolStreamFields } = profile;
  return {
    tools: tools.map((tool) => toWireTool(tool, profile)),
    ...(parallelCalls === undefined ? {} : { parallel_tool_calls: parallelCalls }),
    ...(stream ? toolStreamFields : {}),
  };
}

/** How the layer of the request is asked for; the words for it stand in the messages on every layer. */
function toResponseFormat({ output }: ProviderRequest, profile: Profile): JsonObject | undefined {
  switch (output?.layer) {
    case "json-schema": {
      const name = output.name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
      const strict = profile.isStrict ? { strict: true } : {};
      return { type: "json_schema", json_schema: { name, ...strict, schema: output.schema } };
    }
    case "json-mode":
      // JSON mode makes objects only.
      return output.schema["type"] === "object" ? { type: "json_object" } : undefined;
    default:
      return undefined;
  }
}

function toWireSampling({ sampling }: ProviderRequest, profile: Profile): JsonObject {
  const { temperature, maxTokens, stop = [] } = sampling;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { [profile.maxTokensField]: maxTokens }),
    ...(stop.length === 0 ? {} : { stop }),
  };
}
