import type { Profile } from "../profile-fields.ts";

/** OpenRouter: one address for the models of many vendors, so what any of them needs is kept to. */
export const openrouterProfile: Partial<Profile> = {
  endpoint: "https://openrouter.ai/api/v1",
  keyName: "OPENROUTER_API_KEY",
  structured: "json-schema",
  isStrict: true,
  dialect: "openai",
  callIdPattern: "^[a-zA-Z0-9_-]{1,40}$",
  efforts: {
    none: { reasoning: { effort: "none" } },
    minimal: { reasoning: { effort: "minimal" } },
    low: { reasoning: { effort: "low" } },
    medium: { reasoning: { effort: "medium" } },
    high: { reasoning: { effort: "high" } },
  },
  embeddingBatch: 256,
};
