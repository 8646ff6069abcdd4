import type { Json, Message, Provider } from "@loopwright/core/plugin";
import { afterEach, describe, expect, it } from "vitest";
import { openai } from "../../../providers/src/openai.ts";
import { type StubOpenAi, stubOpenAi } from "../stub-servers/stub-openai.ts";
import type { StubReply } from "../stub-servers/stub-reply.ts";
import { createProvider, stubRequest } from "../stub-servers/stub-request.ts";

const tools = [{ name: "find", description: "Finds.", input: { type: "object", properties: {} } }];
const CALLS: StubReply = {
  reasoning: "Let me look.",
  calls: [{ id: "c1", name: "find", arguments: "{}" }],
};

type WireMessages = readonly { readonly role: string; readonly [field: string]: Json }[];

let server: StubOpenAi | undefined;
afterEach(() => server?.close());

/** An endpoint that refuses what does not keep its rule about reasoning beside calls. */
async function strictServer(rule: (message: WireMessages[number]) => boolean): Promise<StubOpenAi> {
  server = await stubOpenAi({
    replies: ({ body }) => {
      const messages = body["messages"] as WireMessages;
      const calling = messages.filter((message) => message["tool_calls"] !== undefined);
      if (!calling.every(rule))
        return { status: 400, text: "reasoning_content: not as it must be" };
      return calling.length === 0 ? CALLS : { text: "Found.", reasoning: "Good." };
    },
  });
  return server;
}

/** Asks, answers the call, asks again, then once more with an answer that is sent back to be mended. */
async function converse(provider: Provider, carry: (message: Message) => Message): Promise<string> {
  const signal = (): AbortSignal => new AbortController().signal;
  const messages: Message[] = [{ role: "user", text: "Find it." }];
  const generate = async (): Promise<Message> =>
    (await provider.generate(stubRequest({ messages: [...messages], tools }), { signal: signal() }))
      .message;
  messages.push(carry(await generate()));
  messages.push({ role: "tool", callId: "c1", name: "find", text: "it", ok: true });
  messages.push(carry(await generate()), { role: "user", text: "Mend the form." });
  const last = await generate();
  return last.role === "assistant" ? last.text : "";
}

const asIs = (message: Message): Message => message;
const throughJson = (message: Message): Message => JSON.parse(JSON.stringify(message)) as Message;
/** As core hands a message on to another model: without the vendor's own fields. */
const fromElsewhere = (message: Message): Message => {
  if (message.role !== "assistant") return message;
  const { opaque: _, ...said } = message;
  return said;
};

const wants = (text: string) => (message: WireMessages[number]) =>
  message["reasoning_content"] === text && !JSON.stringify(message["content"]).includes("Let me");
const refuses = (message: WireMessages[number]): boolean =>
  !("reasoning_content" in message) && !("reasoning" in message);

describe.each([{ stream: true }, { stream: false }])("with stream: $stream", ({ stream }) => {
  it.each([
    ["deepseek", "as it came", asIs, wants("Let me look.")],
    ["deepseek", "through JSON, as after a resume", throughJson, wants("Let me look.")],
    ["deepseek", "of another model, with nothing", fromElsewhere, wants("")],
    ["kimi", "as it came", asIs, wants("Let me look.")],
    ["kimi", "of another model, with a blank", fromElsewhere, wants(" ")],
    ["openai", "left out", asIs, refuses],
    ["qwen", "left out", throughJson, refuses],
    ["custom", "left out", asIs, refuses],
  ] as const)("%s gets reasoning back beside calls: %s", async (profile, _how, carry, rule) => {
    const { url, requests } = await strictServer(rule);
    const provider = createProvider(openai, { profile, baseUrl: url, apiKey: "k", stream });
    expect(await converse(provider, carry)).toBe("Found.");
    expect(requests).toHaveLength(3);
  });

  it("fails at the strict endpoint where the profile does not fit it", async () => {
    const { url } = await strictServer(wants("Let me look."));
    const provider = createProvider(openai, {
      profile: "openai",
      baseUrl: url,
      apiKey: "k",
      stream,
    });
    await expect(converse(provider, asIs)).rejects.toMatchObject({ code: "provider-rejected" });
  });
});
