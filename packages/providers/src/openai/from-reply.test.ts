import type { ProviderReply, ProviderRequest } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { createProvider, stubRequest } from "../../../testkit/src/stub-servers/stub-request.ts";
import { openai } from "../openai.ts";
import { fromReply } from "./from-reply.ts";
import { profileOf, profiles } from "./profiles.ts";
import { toRequest } from "./to-request.ts";
import { toWireName } from "./tool-names.ts";

const input = { type: "object" } as const;
const toolsOf = (...names: readonly string[]): ProviderRequest["tools"] =>
  names.map((name) => ({ name, description: "Does it.", input }));

function read(profile: string, message: object, tools = toolsOf("ship")): ProviderReply {
  const request = stubRequest({ tools });
  const reply = { choices: [{ message, finish_reason: "stop" }] };
  return fromReply(reply, { request, profile: profileOf(profile), stream: false });
}

const CALL = '<tool_call>{"name":"ship","arguments":{"item":"x"}}</tool_call>';
const made = [{ id: "call_1_0", name: "ship", arguments: '{"item":"x"}' }];

describe("calls in a text", () => {
  const ids = Object.keys(profiles);
  const reading = ids.filter((id) => profileOf(id).readsCallsInText);

  it.each(ids)("that are only thought of are none: %s", (id) => {
    for (const content of [
      `<think>I could call ${CALL} but no.</think>All done.`,
      `<think>I could call ${CALL}`,
      `I could call ${CALL}\n</think>\nAll done.`,
      `[hm] ${CALL}\n</think>\nAll done.`,
    ])
      expect(read(id, { content }).message.toolCalls).toEqual([]);
  });

  it.each(reading)("are made behind thinking, which is kept: %s", (id) => {
    for (const content of [
      `<think>I could call ${CALL}. Yes.</think>\nI do.\n${CALL}`,
      `I could call ${CALL}. Yes.\n</think>\nI do.\n${CALL}`,
    ])
      expect(read(id, { content }).message).toMatchObject({
        text: "I do.",
        reasoning: `I could call ${CALL}. Yes.`,
        toolCalls: made,
      });
  });
});

describe("tools of names that an endpoint does not take", () => {
  const tools = toolsOf("f", "ship");
  const wire = toWireName("f", profileOf("kimi"));
  const sent = { id: "a", type: "function", function: { name: wire, arguments: "{}" } };

  it("are offered under others, here and in the history, and called by their own", () => {
    const past = { role: "assistant", text: "", reasoning: "" } as const;
    const messages = [{ ...past, toolCalls: [{ id: "a", name: "f", arguments: "{}" }] }];
    expect(toRequest(stubRequest({ tools, messages }), profileOf("kimi"), true)).toMatchObject({
      tools: [{ function: { name: wire } }, { function: { name: "ship" } }],
      messages: [{ tool_calls: [{ function: { name: wire } }] }],
    });
    const { toolCalls } = read("kimi", { tool_calls: [sent] }, tools).message;
    expect(toolCalls).toEqual([{ id: "a", name: "f", arguments: "{}" }]);
  });

  it.each([wire, "f"])("are called in a text by either: %s", (name) => {
    const content = `<tool_call>{"name":"${name}","arguments":{}}</tool_call>`;
    expect(read("kimi", { content }, tools).message.toolCalls).toMatchObject([{ name: "f" }]);
  });

  it("are refused where there are too many, before anything is sent", async () => {
    const names = Array.from({ length: 129 }, (_one, index) => `tool_${index}`);
    const never = (): never => {
      throw new Error("nothing may be sent");
    };
    const provider = createProvider(openai, { profile: "kimi", apiKey: "k" }, { fetch: never });
    const call = provider.generate(stubRequest({ tools: toolsOf(...names) }), {
      signal: new AbortController().signal,
    });
    await expect(call).rejects.toMatchObject({
      code: "provider-rejected",
      retryable: false,
      message: expect.stringMatching(/128 tools at most.*offers 129/) as string,
    });
  });
});
