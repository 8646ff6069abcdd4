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
    "the names of the Responses protocol",
    { input_tokens: 100, output_tokens: 50, total_tokens: 150 },
    [100, 0, 0, 50, 0],
  ],
  [
    "the same with details",
    {
      input_tokens: 100,
      output_tokens: 50,
      input_tokens_details: { cached_tokens: 60 },
      output_tokens_details: { reasoning_tokens: 20 },
    },
    [40, 60, 0, 50, 20],
  ],
  [
    "a name that is null or zero beside one that counts",
    { prompt_tokens: null, input_tokens: 7, completion_tokens: 0, output_tokens: 3 },
    [7, 0, 0, 3, 0],
  ],
  [
    "numbers as text",
    {
      prompt_tokens: "100",
      completion_tokens: " 50 ",
      prompt_tokens_details: { cached_tokens: "60" },
    },
    [40, 60, 0, 50, 0],
  ],
  [
    "text that is no number",
    { prompt_tokens: "many", completion_tokens: "-5", total_tokens: "0x10" },
    [0, 0, 0, 0, 0],
  ],
  [
    "nulls and nonsense",
    { prompt_tokens: null, completion_tokens: -1, prompt_tokens_details: null },
    [0, 0, 0, 0, 0],
  ],
  ["a text", "100 tokens" as WireUsage, [0, 0, 0, 0, 0]],
  [
    "details that are text",
    { prompt_tokens: 3, prompt_tokens_details: "x" as never },
    [3, 0, 0, 0, 0],
  ],
])("normalises usage: %s", (_name, usage, [input, cacheRead, cacheWrite, output, reasoning]) => {
  expect(toUsage(usage, "inside")).toEqual({ input, cacheRead, cacheWrite, output, reasoning });
});
