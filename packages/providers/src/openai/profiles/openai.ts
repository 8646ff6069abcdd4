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
  // Of its own models, those from gpt-5.1 on take `none`, but for their variants.
  alwaysThinkingModels: "^(?!gpt-5\\.\\d+(?!.*(?:pro|codex|chat)))",
  notWhileThinking: ["temperature", "stop"],
  embeddingBatch: 2_048,
};
