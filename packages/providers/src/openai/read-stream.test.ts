import type { Clock, ProviderReply } from "@loopwright/core/plugin";
import { afterEach, describe, expect, it } from "vitest";
import { type StubOpenAi, stubOpenAi } from "../../../testkit/src/stub-servers/stub-openai.ts";
import type { StubReply } from "../../../testkit/src/stub-servers/stub-reply.ts";
import { createProvider, stubRequest } from "../../../testkit/src/stub-servers/stub-request.ts";
import { openai } from "../openai.ts";

let server: StubOpenAi | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Twenty times as fast as the real one. */
const clock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms / 20);
    return () => clearTimeout(timer);
  },
};

async function ask(
  reply: StubReply,
  profile = "custom",
  signal: AbortSignal = new AbortController().signal,
): Promise<ProviderReply> {
  server = await stubOpenAi({ replies: () => reply });
  const options = { profile, baseUrl: server.url, apiKey: "k" };
  return createProvider(openai, options, { clock }).generate(stubRequest(), { signal });
}

const says = (content: string, finish: string | null = null): object => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
});
const ends = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
const counts = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } };

describe("a stream that is finished and never ends", () => {
  it.each([
    ["after the counts", [says("It is 4."), ends, counts], 2],
    ["after counts beside the reason", [says("It is 4."), { ...counts, ...ends }], 2],
    ["without counts", [says("It is 4."), ends], 0],
  ])("is left, and its reply stands: %s", async (_name, chunks, output) => {
    const reply = await ask({ chunks, hangAfter: chunks.length, keepAliveMs: 5 });
    expect(reply).toMatchObject({
      message: { text: "It is 4." },
      finishReason: "stop",
      usage: { output },
    });
    await expect.poll(() => server?.openReplyCount()).toBe(0);
  });

  it("is left where no counts are asked for", async () => {
    const chunks = [says("It is 4.", "stop")];
    expect(await ask({ chunks, hangAfter: 1 }, "glm")).toMatchObject({
      message: { text: "It is 4." },
    });
  });

  it("ends with the abort that comes before", async () => {
    const abort = new AbortController();
    const call = ask({ chunks: [says("a", "stop")], hangAfter: 1 }, "custom", abort.signal);
    setTimeout(() => abort.abort(new Error("stopped by the host")), 50);
    await expect(call).rejects.toThrow("stopped by the host");
  });
});

describe("what comes behind the reason to finish", () => {
  it("is read: counts in a chunk of their own, and text", async () => {
    const chunks = [says("It is", "stop"), says(" 4."), ends, counts];
    expect(await ask({ chunks, pieceDelayMs: 5 })).toMatchObject({
      message: { text: "It is 4." },
      usage: { output: 2 },
    });
  });

  it("may be slow, where counts are asked for", async () => {
    const chunks = [says("It is 4.", "stop"), counts];
    expect(await ask({ chunks, pieceDelayMs: 80 })).toMatchObject({ usage: { output: 2 } });
  });
});

it("waits on where each piece has an empty reason", async () => {
  const chunks = [says("It", ""), says(" is", ""), says(" 4.", ""), says("", "length")];
  expect(await ask({ chunks, pieceDelayMs: 80 }, "glm")).toMatchObject({
    message: { text: "It is 4." },
    finishReason: "length",
  });
});

it("takes an empty piece for no activity", async () => {
  const pieces = [
    { role: "assistant", content: "" },
    {},
    { content: "" },
    { role: "assistant", content: "", tool_calls: [] },
    { content: null },
    { content: "4" },
    { reasoning_details: [{ text: "x" }] },
  ];
  const chunks = pieces.map((delta) => ({ choices: [{ delta, finish_reason: null }] }));
  server = await stubOpenAi({ replies: () => ({ chunks: [...chunks, ends] }) });
  let count = 0;
  await createProvider(openai, { profile: "custom", baseUrl: server.url }).generate(stubRequest(), {
    signal: new AbortController().signal,
    onActivity: () => (count += 1),
  });
  expect(count).toBe(4);
});
