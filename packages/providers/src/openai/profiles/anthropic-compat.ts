import type { Profile } from "../profile-fields.ts";

/** Claude under its OpenAI-compatible address, which ignores schemas and efforts. */
export const anthropicCompatProfile: Partial<Profile> = {
  endpoint: "https://api.anthropic.com/v1",
  keyName: "ANTHROPIC_API_KEY",
  structured: "prompt",
  readsCallsInText: false,
  callIdPattern: "^[a-zA-Z0-9_-]{1,64}$",
  efforts: { none: {}, minimal: {}, low: {}, medium: {}, high: {} },
};
