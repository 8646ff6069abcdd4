import type { Profile } from "../profile-fields.ts";

/** Qwen in Model Studio: JSON and whole replies only without thinking; some models take a schema. */
export const qwenProfile: Partial<Profile> = {
  endpoint: "https://dashscope.aliyuncs.com/compatible-mode/v1",
  keyName: "DASHSCOPE_API_KEY",
  structured: "json-mode",
  schemaModels: "^qwen3(?:\\.\\d+)?-(?:max|plus|flash)(?:-|$)",
  isStrict: true,
  dialect: "openai",
  jsonTokens: 8_192,
  thinkingModels: "^(?:qwq|qvq|.*-thinking)(?:-|$)",
  alwaysThinkingModels: "^(?:qwq|qvq|.*-thinking)(?:-|$)",
  efforts: {
    none: { enable_thinking: false },
    minimal: { enable_thinking: true },
    low: { enable_thinking: true },
    medium: { enable_thinking: true },
    high: { enable_thinking: true },
  },
  notWhileThinking: ["response_format"],
  isJsonWithoutThinking: true,
  thinkingNeedsStream: true,
  embeddingBatch: 10,
};
