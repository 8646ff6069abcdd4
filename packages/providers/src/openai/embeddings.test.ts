import type { EmbedReply, EmbedRequest } from "@loopwright/core/plugin";
import { createApp } from "@loopwright/core";
import { afterEach, describe, expect, it } from "vitest";
import { type StubOpenAi, stubOpenAi } from "../../../testkit/src/stub-servers/stub-openai.ts";
import type { StubReply } from "../../../testkit/src/stub-servers/stub-reply.ts";
import { createProvider } from "../../../testkit/src/stub-servers/stub-request.ts";
import { providers } from "../builtin.ts";
import { openai } from "../openai.ts";
import { profileOf, profiles } from "./profiles.ts";

const signal = new AbortController().signal;
let server: StubOpenAi | undefined;
afterEach(() => server?.close());

type Embed = (request: EmbedRequest, call: { readonly signal: AbortSignal }) => Promise<EmbedReply>;

async function serve(
  reply: (texts: readonly string[]) => StubReply,
): Promise<(profile: string) => Embed> {
  server = await stubOpenAi({ replies: ({ body }) => reply(body["input"] as readonly string[]) });
  const { url } = server;
  return (profile) => {
    const provider = createProvider(openai, { profile, baseUrl: url });
    return async (request, call) =>
      (await provider.embed?.(request, call)) ?? Promise.reject(new Error("no embeddings"));
  };
}

/** A vector that says which text it belongs to, told in the wrong order. */
function vectorsOf(texts: readonly string[]): StubReply {
  const data = texts.map((text, index) => ({
    object: "embedding",
    index,
    embedding: [Number(text), 0.5],
  }));
  return {
    body: JSON.stringify({
      data: data.toReversed(),
      usage: { prompt_tokens: texts.length, total_tokens: texts.length },
    }),
  };
}

describe("embeddings", () => {
  it("of no texts are refused before anything is sent", async () => {
    const embed = (await serve(vectorsOf))("qwen");
    await expect(embed({ model: "e", texts: [] }, { signal })).rejects.toMatchObject({
      code: "provider-rejected",
      message: expect.stringContaining("no texts") as string,
    });
    expect(server?.requests).toEqual([]);
  });

  it.each([
    ["qwen", 10],
    ["glm", 64],
    ["gemini-compat", 100],
  ])("of %s come in batches of at most %i, in the order of the texts", async (profile, most) => {
    const embed = (await serve(vectorsOf))(profile);
    const texts = Array.from({ length: 105 }, (_, index) => String(index + 1));
    const reply = await embed({ model: "e", texts, dimensions: 2 }, { signal });
    expect(reply.vectors).toEqual(texts.map((text) => [Number(text), 0.5]));
    expect(reply.usage).toMatchObject({ input: 105, output: 0 });
    const sizes = server?.requests.map((body) => (body["input"] as string[]).length) ?? [];
    expect(sizes.every((size) => size <= most)).toBe(true);
    expect(sizes).toHaveLength(Math.ceil(105 / most));
    expect(server?.requests[0]).toMatchObject({
      model: "e",
      encoding_format: "float",
      dimensions: 2,
    });
    expect(server?.received[0]?.path).toBe("/v1/embeddings");
  });

  it("are there where the profile has them", () => {
    const having = Object.keys(profiles).filter(
      (id) => createProvider(openai, { profile: id }).embed !== undefined,
    );
    expect(having.toSorted()).toEqual(
      [
        "openai",
        "qwen",
        "glm",
        "gemini-compat",
        "ollama",
        "vllm",
        "llamacpp",
        "openrouter",
        "custom",
      ].toSorted(),
    );
    expect(profileOf("openai").embeddingBatch).toBe(2_048);
  });

  it.each<[string, StubReply]>([
    ["too few", { body: '{"data":[{"index":0,"embedding":[1]}]}' }],
    ["one twice", { body: '{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}' }],
    [
      "in base64",
      { body: '{"data":[{"index":0,"embedding":"AAAA"},{"index":1,"embedding":"AAAA"}]}' },
    ],
    ["none at all", { body: "{}" }],
    [
      "an index beyond the texts",
      { body: '{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}' },
    ],
  ])("that are %s are a fault", async (_name, reply) => {
    const embed = (await serve(() => reply))("openai");
    await expect(embed({ model: "e", texts: ["1", "2"] }, { signal })).rejects.toMatchObject({
      code: "provider-failed",
      message: expect.stringContaining("for 2 texts") as string,
    });
  });

  it("tell faults and aborts as calls do", async () => {
    const embed = (await serve(() => ({ status: 429, headers: { "retry-after": "2" } })))("openai");
    await expect(embed({ model: "e", texts: ["1"] }, { signal })).rejects.toMatchObject({
      code: "provider-unavailable",
      details: { retryAfterMs: 2_000 },
    });
    const aborted = AbortSignal.abort(new Error("stopped"));
    await expect(embed({ model: "e", texts: ["1"] }, { signal: aborted })).rejects.toThrow(
      "stopped",
    );
    expect(server?.requests).toHaveLength(1);
  });

  it("and replies are asked for on one client, each at its own address", async () => {
    server = await stubOpenAi({
      replies: ({ path }) => (path.endsWith("/embeddings") ? vectorsOf(["1"]) : { text: "hi" }),
    });
    const provider = createProvider(openai, { baseUrl: server.url });
    const request = {
      model: "m",
      messages: [{ role: "user", text: "a" }],
      tools: [],
      sampling: {},
    };
    await provider.generate(request as never, { signal });
    await provider.embed?.({ model: "e", texts: ["1"] }, { signal });
    await provider.generate(request as never, { signal });
    expect(server.received.map(({ path }) => path)).toEqual([
      "/v1/chat/completions",
      "/v1/embeddings",
      "/v1/chat/completions",
    ]);
  });
});

it("come to a host through its app, asked for again where the endpoint was busy", async () => {
  server = await stubOpenAi({
    replies: (_request, index) => (index === 0 ? { status: 503 } : vectorsOf(["7", "8"])),
  });
  const app = await createApp({ plugins: [providers], discovery: false, env: {} });
  const model = {
    use: "vllm/e",
    baseUrl: server.url,
    retry: { attempts: 2, first: "1ms" },
    price: { input: 1, output: 0 },
  };
  const outcome = await app.embed({ model, texts: ["7", "8"] });
  await app.close();
  expect(outcome).toMatchObject({
    vectors: [
      [7, 0.5],
      [8, 0.5],
    ],
    attempts: 2,
    usage: { input: 2 },
  });
});
