import type { Profile } from "../profile-fields.ts";

/** Any other endpoint, which a spec names with `baseUrl`: it is asked for everything, and believed where it refuses. */
export const customProfile: Partial<Profile> = {
  keyName: "CUSTOM_API_KEY",
  needsKey: false,
  structured: "json-schema",
  dialect: "openai",
  thinksInText: true,
  embeddingBatch: 64,
};
