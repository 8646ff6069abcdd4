import type { Message, Sampling } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { stubRequest } from "../../../testkit/src/stub-servers/stub-request.ts";
import { traitsOf } from "./claude-models.ts";
import { toWireSampling } from "./thinking-config.ts";

const adaptive = { type: "adaptive", display: "summarized" };
const enabled = (tokens: number): object => ({ type: "enabled", budget_tokens: tokens });

describe("thinking and sampling", () => {
  it.each<[string, string, Sampling, object, string?]>([
    ["nothing asked", "claude-sonnet-4-5", {}, { max_tokens: 8_192 }],
    [
      "no thinking",
      "claude-sonnet-4-5",
      { temperature: 0.2, stop: ["END"], maxTokens: 100 },
      { max_tokens: 100, temperature: 0.2, stop_sequences: ["END"] },
    ],
    [
      "a budget by effort, room for the answer above it, no temperature",
      "claude-sonnet-4-5",
      { effort: "medium", temperature: 0.2 },
      { max_tokens: 16_384, thinking: enabled(8_192) },
    ],
    [
      "a budget below the limit of the spec",
      "claude-haiku-4-5-20251001",
      { effort: "high", maxTokens: 4_000 },
      { max_tokens: 4_000, thinking: enabled(2_976) },
    ],
    [
      "no room to think",
      "claude-haiku-4-5",
      { effort: "high", maxTokens: 2_000, temperature: 1 },
      { max_tokens: 2_000, temperature: 1 },
    ],
    [
      "an effort where the model decides how much",
      "claude-opus-4-6",
      { effort: "minimal" },
      { max_tokens: 24_576, thinking: adaptive },
      "low",
    ],
    [
      "a model that takes no temperature",
      "claude-opus-4-7",
      { temperature: 0 },
      { max_tokens: 8_192 },
    ],
    [
      "effort none, where thinking is off",
      "claude-opus-4-7",
      { effort: "none" },
      { max_tokens: 8_192 },
    ],
    [
      "effort none, where thinking is on",
      "claude-sonnet-5",
      { effort: "none" },
      { max_tokens: 8_192, thinking: { type: "disabled" } },
    ],
    [
      "effort none, where thinking can't be off",
      "claude-fable-5-1",
      { effort: "none" },
      { max_tokens: 24_576 },
      "low",
    ],
    ["a model that thinks unasked", "claude-opus-5-5", {}, { max_tokens: 24_576 }],
    [
      "a model that can't think",
      "claude-3-5-haiku-latest",
      { effort: "high" },
      { max_tokens: 8_192 },
    ],
    ["one of the oldest models", "claude-3-haiku-20240307", {}, { max_tokens: 4_096 }],
    ["its own room", "claude-3-haiku-20240307", { maxTokens: 900 }, { max_tokens: 900 }],
    [
      "another vendor",
      "kimi-k2.6",
      { effort: "low" },
      { max_tokens: 10_240, thinking: enabled(2_048) },
    ],
  ])("are sent for %s (%s)", (_name, model, sampling, fields, effort) => {
    const sent = toWireSampling(stubRequest({ model, sampling }), undefined);
    expect(sent).toEqual({ fields, ...(effort === undefined ? {} : { effort }) });
  });

  it("follow the budget of the spec, whatever the effort", () => {
    const request = stubRequest({ model: "claude-opus-4-6", sampling: { effort: "high" } });
    expect(toWireSampling(request, 3_000)).toEqual({
      fields: { max_tokens: 11_192, thinking: enabled(3_000) },
    });
    const off = stubRequest({ model: "claude-opus-4-6", sampling: { effort: "none" } });
    expect(toWireSampling(off, 3_000)).toEqual({ fields: { max_tokens: 8_192 } });
  });

  it("leave a budget out while the calls of another model are answered", () => {
    const call = { id: "a", name: "f", arguments: "{}" };
    const foreign: Message = { role: "assistant", text: "", reasoning: "", toolCalls: [call] };
    const result: Message = { role: "tool", callId: "a", name: "f", text: "x", ok: true };
    const start: Message = { role: "user", text: "q" };
    const own: Message = { ...foreign, opaque: { content: [] } };
    const thinks = (...messages: readonly Message[]): boolean =>
      "thinking" in
      toWireSampling(
        stubRequest({ model: "claude-sonnet-4-5", messages, sampling: { effort: "low" } }),
        undefined,
      ).fields;
    expect(thinks(start, foreign, result)).toBe(false);
    expect(thinks(start, foreign, result, { role: "user", text: "go on" })).toBe(false);
    expect(thinks(start, own, result)).toBe(true);
    expect(thinks(start, own, result, foreign, result)).toBe(true);
    expect(thinks(start, { ...foreign, toolCalls: [] }, start)).toBe(true);
  });
});

it.each([
  ["claude-3-haiku-20240307", "none", false],
  ["claude-3-7-sonnet-latest", "budget", false],
  ["claude-sonnet-4-20250514", "budget", false],
  ["us.anthropic.claude-sonnet-4-20250514-v1:0", "budget", false],
  ["claude-opus-4@20250514", "budget", false],
  ["claude-opus-4-0", "budget", false],
  ["claude-opus-4-1-20250805", "budget", true],
  ["anthropic/claude-haiku-4-5-20251001", "budget", true],
  ["claude-sonnet-4-6", "adaptive", true],
  ["claude-opus-4-8", "adaptive", true],
  ["claude-opus-4-10", "adaptive", true],
  ["claude-mythos-preview", "adaptive", true],
  ["claude-sonnet-7", "adaptive", true],
  ["MiniMax-M3", "budget", true],
])("knows %s: thinking %s, schemas %s", (model, thinking, takesSchema) => {
  expect(traitsOf(model)).toMatchObject({ thinking, takesSchema });
});
