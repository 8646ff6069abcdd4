import type { Profile } from "../profile-fields.ts";

/** GLM at z.ai: JSON mode only, no `stream_options`, arguments come in pieces only where that is asked for. */
export const glmProfile: Partial<Profile> = {
  endpoint: "https://api.z.ai/api/paas/v4",
  keyName: "ZAI_API_KEY",
  structured: "json-mode",
  jsonTokens: 8_192,
  thinkingTokens: 8_192,
  toolStreamFields: { tool_stream: true },
  streamUsage: false,
  echo: "with-tool-calls",
  thinkingModels: "^glm-(?:4\\.[5-9]|[5-9])",
  alwaysThinkingModels: "^(?!glm-(?:4\\.[5-9]|[5-9]))",
  efforts: {
    none: { thinking: { type: "disabled" } },
    minimal: { thinking: { type: "enabled" } },
    low: { thinking: { type: "enabled" } },
    medium: { thinking: { type: "enabled" } },
    high: { thinking: { type: "enabled" } },
  },
  embeddingBatch: 64,
};
