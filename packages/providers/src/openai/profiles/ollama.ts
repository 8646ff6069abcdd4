import type { Profile } from "../profile-fields.ts";

/** Ollama: a grammar that it leaves aside while the model thinks. */
export const ollamaProfile: Partial<Profile> = {
  endpoint: "http://localhost:11434/v1",
  keyName: "OLLAMA_API_KEY",
  needsKey: false,
  free: true,
  structured: "json-schema",
  dialect: "llamacpp",
  thinkingModels: "^(?:deepseek-r1|qwq|.*-thinking)(?:[-:]|$)",
  efforts: {
    none: { reasoning_effort: "none" },
    minimal: { reasoning_effort: "low" },
    low: { reasoning_effort: "low" },
    medium: { reasoning_effort: "medium" },
    high: { reasoning_effort: "high" },
  },
  isJsonWithoutThinking: true,
  thinksInText: true,
  embeddingBatch: 256,
};
