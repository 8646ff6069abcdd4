import type { Profile } from "../profile-fields.ts";

/** Any other endpoint, which a spec names with `baseUrl`: it is asked for everything, and believed where it refuses. */
export const customProfile: Partial<Profile> = {
  keyName: "CUSTOM_API_KEY",
  needsKey: false,
  structured: "json-schema",
  dialect: "openai",
  // Nothing is known of the model, which may refuse a word that it does not know.
  efforts: {
    none: {},
    minimal: { reasoning_effort: "minimal" },
    low: { reasoning_effort: "low" },
    medium: { reasoning_effort: "medium" },
    high: { reasoning_effort: "high" },
  },
  thinksInText: true,
  embeddingBatch: 64,
};
