import type { Profile } from "../profile-fields.ts";

/** Gemini under its OpenAI-compatible address: tokens of thinking are counted beside the completion. */
export const geminiCompatProfile: Partial<Profile> = {
  endpoint: "https://generativelanguage.googleapis.com/v1beta/openai",
  keyName: "GEMINI_API_KEY",
  structured: "json-schema",
  dialect: "gemini",
  toolDialect: "gemini",
  readsCallsInText: false,
  usage: "beside",
  thinkingModels: "^(?:models/)?gemini-(?:2\\.5|[3-9])",
  alwaysThinkingModels: "^(?!(?:models/)?gemini-2\\.5-flash)",
  efforts: {
    none: { reasoning_effort: "none" },
    minimal: { reasoning_effort: "low" },
    low: { reasoning_effort: "low" },
    medium: { reasoning_effort: "medium" },
    high: { reasoning_effort: "high" },
  },
  embeddingBatch: 100,
};
