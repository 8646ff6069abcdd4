import { describe, expect, it } from "vitest";
import { openai } from "../openai.ts";

describe("a model that thinks by itself", () => {
  it.each([
    ["openai", "o3-mini"],
    ["openai", "gpt-5.2"],
    ["deepseek", "deepseek-reasoner"],
    ["deepseek", "deepseek-v4-flash"],
    ["kimi", "kimi-k2-thinking"],
    ["kimi", "kimi-k2.6"],
    ["qwen", "qwq-plus"],
    ["qwen", "qwen3-235b-a22b-thinking-2507"],
    ["ollama", "deepseek-r1:7b"],
    ["vllm", "Qwen/Qwen3-30B-A3B-Thinking-2507"],
    ["llamacpp", "unsloth/deepseek-r1"],
    ["glm", "glm-5"],
    ["gemini-compat", "gemini-2.5-flash"],
  ])("is known: %s/%s", (profile, model) => {
    expect(openai.thinks?.(profile, model)).toBe(true);
  });

  it.each([
    ["openai", "gpt-4o"],
    ["openai", "gpt-5-chat-latest"],
    ["deepseek", "deepseek-chat"],
    ["kimi", "kimi-k3"],
    ["qwen", "qwen-plus"],
    ["ollama", "llama3.3"],
    ["elsewhere", "o3"],
    ["constructor", "o3"],
  ])("is not claimed of others: %s/%s", (profile, model) => {
    expect(openai.thinks?.(profile, model)).toBe(false);
  });
});

describe("what is laid over a profile", () => {
  it("says which models think", () => {
    expect(openai.thinks?.("custom", "deep-1")).toBe(false);
    expect(openai.thinks?.("custom", "deep-1", { thinkingModels: "^deep" })).toBe(true);
  });

  const forms = (profile: string, model: string, more: object = {}): unknown =>
    openai.describe?.(profile, {}, { model, sampling: {}, ...more });

  it("says where a model is asked, and how it is asked for a schema", () => {
    const kimi = { structured: "json-mode", dialect: "none", isSchemaAloneOnly: true };
    expect(forms("kimi", "kimi-k3")).toMatchObject(kimi);
    const overrides = {
      endpoint: "https://kimi.example/v1",
      keyName: "OWN_KEY",
      structured: "json-schema",
      dialect: "mfjs",
    };
    expect(forms("kimi", "kimi-k3", { overrides })).toEqual({
      endpoint: overrides.endpoint,
      keys: ["OWN_KEY"],
      structured: "json-schema",
      dialect: "mfjs",
      isSchemaAloneOnly: true,
    });
  });

  it("leaves a model words alone where it thinks and takes no form while it does", () => {
    expect(forms("qwen", "qwen3-max")).toMatchObject({ structured: "json-schema" });
    expect(forms("qwen", "qwen3-max", { sampling: { effort: "high" } })).toMatchObject({
      structured: "prompt",
    });
    expect(forms("qwen", "qwq-plus")).toMatchObject({ structured: "prompt" });
  });
});

describe("what doctor is told of an endpoint", () => {
  const told = (profile: string, options: object) => openai.describe?.(profile, options as never);

  it("is the profile's own, with the variable of its key", () => {
    expect(told("deepseek", {})).toEqual({
      endpoint: "https://api.deepseek.com",
      keys: ["DEEPSEEK_API_KEY"],
    });
    expect(told("ollama", {})).toEqual({ endpoint: "http://localhost:11434/v1", keys: [] });
    expect(told("custom", {})).toEqual({ keys: [] });
  });

  it("is what the spec says", () => {
    const options = {
      baseUrl: "https://models.example/v1",
      apiKey: "${secret:HOUSE_KEY}",
      headers: { "x-team": "${secret:TEAM}" },
    };
    expect(told("openai", options)).toEqual({
      endpoint: "https://models.example/v1",
      keys: ["HOUSE_KEY", "TEAM"],
    });
    expect(told("openai", { baseUrl: "http://localhost:1/v1" })?.keys).toEqual([]);
  });
});
