import type { Profile } from "../profile-fields.ts";

/** OpenAI itself. */
export const openaiProfile: Partial<Profile> = {
  endpoint: "https://api.openai.com/v1",
  keyName: "OPENAI_API_KEY",
  structured: "json-schema",
  isStrict: true,
  dialect: "openai",
  isSchemaAloneOnly: false,
  readsCallsInText: false,
  callIdPattern: "^[a-zA-Z0-9_-]{1,40}$",
  maxTokensField: "max_completion_tokens",
  thinkingModels: "^(?:o\\d|gpt-5(?!.*chat))",
  alwaysThinkingModels:
    "^(?:o\\d|gpt-5(?:-(?:mini|nano|pro|\\d{4}).*)?$|(?:chat)?gpt-(?:3|4)|gpt-5.*chat)",
  notWhileThinking: ["temperature", "stop"],
  embeddingBatch: 2_048,
};
