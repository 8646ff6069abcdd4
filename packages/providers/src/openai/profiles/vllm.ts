import type { Profile } from "../profile-fields.ts";

/** vLLM: thinking is switched off through the chat template. */
export const vllmProfile: Partial<Profile> = {
  endpoint: "http://localhost:8000/v1",
  keyName: "VLLM_API_KEY",
  needsKey: false,
  free: true,
  structured: "json-schema",
  thinkingModels: "(?:^|/)(?:deepseek-r1|qwq|[^/]*-thinking)(?:-|$)",
  efforts: {
    none: { chat_template_kwargs: { enable_thinking: false } },
    minimal: { reasoning_effort: "low" },
    low: { reasoning_effort: "low" },
    medium: { reasoning_effort: "medium" },
    high: { reasoning_effort: "high" },
  },
  thinksInText: true,
  embeddingBatch: 256,
};
