import { expect, it } from "vitest";
import { laterTokens, toMessageUsage } from "./message-usage.ts";
import type { WireTokens } from "./message-wire.ts";

it.each<[string, WireTokens | null | undefined, number[]]>([
  ["nothing", undefined, [0, 0, 0, 0, 0]],
  [
    "input beside the cache",
    { input_tokens: 5, cache_read_input_tokens: 70, output_tokens: 9 },
    [5, 70, 0, 9, 0],
  ],
  [
    "a cache that is written",
    { input_tokens: 5, cache_creation_input_tokens: 40 },
    [5, 0, 40, 0, 0],
  ],
  [
    "thinking inside the output",
    { output_tokens: 50, output_tokens_details: { thinking_tokens: 20 } },
    [0, 0, 0, 50, 20],
  ],
  [
    "more thinking than output",
    { output_tokens: 10, output_tokens_details: { thinking_tokens: 20 } },
    [0, 0, 0, 10, 10],
  ],
  ["nulls and nonsense", { input_tokens: null, output_tokens: -1 }, [0, 0, 0, 0, 0]],
])("counts %s", (_name, tokens, [input, cacheRead, cacheWrite, output, reasoning]) => {
  expect(toMessageUsage(tokens)).toEqual({ input, cacheRead, cacheWrite, output, reasoning });
});

it("lets the end of a stream say more, and take nothing back", () => {
  const start = { input_tokens: 5, cache_read_input_tokens: 70, output_tokens: 1 };
  expect(laterTokens(start, { output_tokens: 9, cache_read_input_tokens: null })).toEqual({
    ...start,
    output_tokens: 9,
  });
  const zeros = { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 9 };
  expect(laterTokens(start, zeros)).toEqual({ ...start, output_tokens: 9 });
  expect(laterTokens(start, undefined)).toEqual(start);
  expect(laterTokens(undefined, { input_tokens: 6 })).toEqual({ input_tokens: 6 });
});
