import {
  defineProvider,
  NO_USAGE,
  ProviderError,
  type ProviderDefinition,
  type ProviderRequest,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { runScripted, toolOf } from "../promises/run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);

/** A provider whose models sign what they say in a field of their own; `isDown` tells which request fails. */
function signing(
  seen: ProviderRequest[],
  isDown: (request: ProviderRequest) => boolean = () => false,
): ProviderDefinition {
  return defineProvider({
    id: "vendor",
    description: "Signs its replies.",
    options: Type.Object({}),
    create: () => ({
      capabilities: () => ({ tools: true, structured: "json-schema" }),
      async generate(request) {
        seen.push(request);
        if (isDown(request)) throw new ProviderError("provider-unavailable", "down");
        const isFirst = request.messages.every(({ role }) => role !== "assistant");
        const calls = [{ id: "c", name: "stock", arguments: '{"item":"nut"}' }];
        const toolCalls = isFirst ? calls : [];
        const opaque = { [request.model]: 1 };
        return {
          message: { role: "assistant", text: "4", reasoning: "", toolCalls, opaque },
          finishReason: isFirst ? "tool-calls" : "stop",
          usage: NO_USAGE,
        };
      },
    }),
  });
}

/** The signatures that came back with each request; `-` for a message without. */
const signatures = (requests: readonly ProviderRequest[]) =>
  requests.map(({ model, messages }) => {
    const said = messages.flatMap((message) => (message.role === "assistant" ? [message] : []));
    return `${model}: ${said.map(({ opaque }) => (opaque === undefined ? "-" : Object.keys(opaque).join())).join(" ")}`;
  });

describe("a vendor's own fields", () => {
  it("go back to the model that said them, and to no other that continues its thread", async () => {
    const seen: ProviderRequest[] = [];
    const { outcome, events } = await runScripted(
      `model: vendor/a
tools: [stock]
strategy: [react, { react: { id: second, model: vendor/b } }, { react: { id: third } }]
`,
      [],
      { plugins: [stock, signing(seen)] },
    );
    expect([outcome.outcome, outcome.reason]).toEqual(["done", undefined]);
    expect(signatures(seen)).toEqual(["a: ", "a: a", "b: - -", "a: a a -"]);
    expect(JSON.stringify(seen.map(({ messages }) => messages))).not.toContain("vendor/");
    const starts = events.flatMap((event) =>
      event.name === "model-call.start" ? [event.data.messagesBefore] : [],
    );
    expect(starts).toEqual([0, 2, 0, 0]);
  });

  it("do not go to a fallback", async () => {
    const seen: ProviderRequest[] = [];
    const isDown = ({ model, messages }: ProviderRequest): boolean =>
      model === "a" && messages.length > 2;
    const { outcome } = await runScripted(
      "model: { use: vendor/a, fallback: [vendor/b] }\ntools: [stock]\nstrategy: react\n",
      [],
      { plugins: [stock, signing(seen, isDown)] },
    );
    expect([outcome.outcome, outcome.reason]).toEqual(["done", undefined]);
    expect(signatures(seen)).toEqual(["a: ", "a: a", "b: -"]);
  });
});
