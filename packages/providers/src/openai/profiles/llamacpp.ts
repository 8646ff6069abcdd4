import type { Profile } from "../profile-fields.ts";

/** The server of llama.cpp: keywords that its grammar lacks are passed over in silence. */
export const llamacppProfile: Partial<Profile> = {
  endpoint: "http://localhost:8080/v1",
  keyName: "LLAMA_API_KEY",
  needsKey: false,
  free: true,
  structured: "json-schema",
  dialect: "llamacpp",
  toolDialect: "llamacpp",
  thinkingModels: "(?:^|/)(?:deepseek-r1|qwq|[^/]*-thinking)(?:[-.]|$)",
  efforts: {
    none: { chat_template_kwargs: { enable_thinking: false } },
    minimal: { chat_template_kwargs: { reasoning_effort: "low" } },
    low: { chat_template_kwargs: { reasoning_effort: "low" } },
    medium: { chat_template_kwargs: { reasoning_effort: "medium" } },
    high: { chat_template_kwargs: { reasoning_effort: "high" } },
  },
  thinksInText: true,
  embeddingBatch: 64,
};
