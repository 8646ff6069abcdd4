import type { PluginDefinition } from "@loopwright/core";
import {
  type Capabilities,
  defineProvider,
  NO_USAGE,
  type ProviderReply,
  type ProviderRequest,
  Type,
} from "@loopwright/core/plugin";

/** What a test says for an endpoint: a text, or a reply with what differs from a usual one. */
export type LayeredReply =
  | string
  | (Partial<Omit<ProviderReply, "message">> & { readonly text: string });

/** A provider `layered` with the capabilities of one endpoint; what it is sent is kept in `requests`. */
export function layeredModel(
  capabilities: Partial<Capabilities>,
  say: (request: ProviderRequest) => LayeredReply,
): { readonly plugin: PluginDefinition; readonly requests: readonly ProviderRequest[] } {
  const requests: ProviderRequest[] = [];
  const plugin = defineProvider({
    id: "layered",
    free: ["layered"],
    description: "A model behind an endpoint of a test.",
    options: Type.Object({}),
    create: () => ({
      async generate(request) {
        requests.push(request);
        const said = say(request);
        const { text, ...rest } = typeof said === "string" ? { text: said } : said;
        return {
          message: { role: "assistant", text, reasoning: "", toolCalls: [] },
          usage: { ...NO_USAGE, input: 10, output: 5 },
          finishReason: "stop",
          ...rest,
        };
      },
      capabilities: () => ({
        tools: true,
        structured: "json-schema",
        price: { input: 0, output: 0 },
        ...capabilities,
      }),
    }),
  });
  return { plugin, requests };
}
