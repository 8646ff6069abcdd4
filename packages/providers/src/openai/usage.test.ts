import { expect, it } from "vitest";
import { toUsage } from "./usage.ts";
import type { WireUsage } from "./wire.ts";

it.each<[string, WireUsage | undefined, number[]]>([
  ["nothing", undefined, [0, 0, 0, 0, 0]],
  [
    "OpenAI: cached tokens stand inside the prompt",
    {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 60 },
      completion_tokens_details: { reasoning_tokens: 20 },
    },
    [40, 60, 0, 50, 20],
  ],
  [
    "DeepSeek",
    { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 64 },
    [36, 64, 0, 5, 0],
  ],
  ["Kimi", { prompt_tokens: 100, completion_tokens: 5, cached_tokens: 30 }, [70, 30, 0, 5, 0]],
  [
    "Qwen: a cache that is written",
    {
      prompt_tokens: 100,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 10, cache_creation_input_tokens: 40 },
    },
    [50, 10, 40, 5, 0],
  ],
  [
    "reasoning counted beside the completion",
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 35,
      completion_tokens_details: { reasoning_tokens: 20 },
    },
    [10, 0, 0, 25, 20],
  ],
  [
    "nulls and nonsense",
    { prompt_tokens: null, completion_tokens: -1, prompt_tokens_details: null },
    [0, 0, 0, 0, 0],
  ],
])("normalises usage: %s", (_name, usage, [input, cacheRead, cacheWrite, output, reasoning]) => {
  expect(toUsage(usage, "inside")).toEqual({ input, cacheRead, cacheWrite, output, reasoning });
});
