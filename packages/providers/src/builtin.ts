import type { PluginPackage } from "@loopwright/core/plugin";

/** What this package provides; code is loaded when a spec names an id. */
export const providers: PluginPackage = {
  name: "@loopwright/providers",
  entries: [
    {
      kind: "provider",
      id: "openai",
      profiles: [
        "deepseek",
        "kimi",
        "qwen",
        "glm",
        "gemini-compat",
        "anthropic-compat",
        "ollama",
        "vllm",
        "llamacpp",
        "openrouter",
        "custom",
      ],
      load: async () => (await import("./openai.ts")).openai,
    },
    { kind: "provider", id: "replay", load: async () => (await import("./replay.ts")).replay },
    {
      kind: "provider",
      id: "scripted",
      load: async () => (await import("./scripted.ts")).scripted,
    },
  ],
};
