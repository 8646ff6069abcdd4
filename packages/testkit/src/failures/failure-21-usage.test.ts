import type { Usage } from "@loopwright/core/plugin";
import { afterEach, describe, expect, it } from "vitest";
import { openai } from "../../../providers/src/openai.ts";
import { type StubOpenAi, stubOpenAi } from "../stub-servers/stub-openai.ts";
import { createProvider, stubRequest } from "../stub-servers/stub-request.ts";

let server: StubOpenAi | undefined;
afterEach(() => server?.close());

/** 1,000 tokens in, of which 600 from the cache; 100 out, of which 40 of thinking: each vendor's way to say it. */
const SAME: Usage = { input: 400, cacheRead: 600, cacheWrite: 0, output: 100, reasoning: 40 };
const tokens = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
const thought = { completion_tokens_details: { reasoning_tokens: 40 } };

describe.each([{ stream: true }, { stream: false }])("with stream: $stream", ({ stream }) => {
  it.each<[string, object, Usage]>([
    ["openai", { ...tokens, ...thought, prompt_tokens_details: { cached_tokens: 600 } }, SAME],
    [
      "deepseek",
      { ...tokens, ...thought, prompt_cache_hit_tokens: 600, prompt_cache_miss_tokens: 400 },
      SAME,
    ],
    ["kimi", { ...tokens, ...thought, cached_tokens: 600 }, SAME],
    [
      "qwen",
      { ...tokens, ...thought, prompt_tokens_details: { cached_tokens: 600, text_tokens: 1_000 } },
      SAME,
    ],
    ["glm", { ...tokens, ...thought, prompt_tokens_details: { cached_tokens: 600 } }, SAME],
    [
      "gemini-compat",
      {
        prompt_tokens: 1_000,
        completion_tokens: 60,
        total_tokens: 1_100,
        prompt_tokens_details: { cached_tokens: 600 },
      },
      SAME,
    ],
    [
      "openrouter",
      {
        ...tokens,
        ...thought,
        cost: 0.01,
        prompt_tokens_details: { cached_tokens: 500, cache_write_tokens: 100 },
      },
      { ...SAME, cacheRead: 500, cacheWrite: 100 },
    ],
    ["ollama", tokens, { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 100, reasoning: 0 }],
    [
      "vllm",
      { ...tokens, prompt_tokens_details: null },
      { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 100, reasoning: 0 },
    ],
    [
      "llamacpp",
      { ...tokens, prompt_tokens_details: { cached_tokens: 600 } },
      { ...SAME, reasoning: 0 },
    ],
  ])("counts the tokens of %s", async (profile, usage, expected) => {
    server = await stubOpenAi({ replies: () => ({ text: "x", usage: usage as never }) });
    const provider = createProvider(openai, { profile, baseUrl: server.url, apiKey: "k", stream });
    const { signal } = new AbortController();
    expect((await provider.generate(stubRequest(), { signal })).usage).toEqual(expected);
  });
});

it("counts once what a stream tells with every piece, or inside the choice", async () => {
  const usage = { ...tokens, ...thought, cached_tokens: 600 };
  const delta = (content: string, extra: object): object => ({
    choices: [{ delta: { content }, ...extra }],
  });
  for (const chunks of [
    [delta("a", {}), delta("", { finish_reason: "stop", usage })],
    [
      { ...delta("a", {}), usage: { ...usage, completion_tokens: 1 } },
      { ...delta("", { finish_reason: "stop" }), usage },
    ],
  ]) {
    server = await stubOpenAi({ replies: () => ({ chunks }) });
    const provider = createProvider(openai, { profile: "kimi", baseUrl: server.url, apiKey: "k" });
    const { signal } = new AbortController();
    expect((await provider.generate(stubRequest(), { signal })).usage).toEqual(SAME);
    await server.close();
  }
});
