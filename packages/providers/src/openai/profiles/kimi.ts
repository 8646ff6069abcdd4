import type { Profile } from "../profile-fields.ts";

/** Kimi: arguments are held to its own part of JSON Schema, and one bad schema would fail the whole request. */
export const kimiProfile: Partial<Profile> = {
  endpoint: "https://api.moonshot.ai/v1",
  keyName: "MOONSHOT_API_KEY",
  structured: "json-mode",
  jsonTokens: 8_192,
  thinkingTokens: 8_192,
  toolDialect: "mfjs",
  looseToolFields: { strict: false },
  toolNamePattern: "^[a-zA-Z_][a-zA-Z0-9_-]{2,63}$",
  maxTools: 128,
  echo: "with-tool-calls",
  echoFiller: " ",
  thinkingModels: "^kimi-(?:k2\\.[56]|.*thinking)(?:-|$)",
  alwaysThinkingModels: "^(?!kimi-k2\\.[56](?:-|$)(?!.*thinking))",
  efforts: {
    none: { thinking: { type: "disabled" } },
    minimal: { thinking: { type: "enabled" } },
    low: { thinking: { type: "enabled" } },
    medium: { thinking: { type: "enabled" } },
    high: { thinking: { type: "enabled" } },
  },
  notWhileThinking: ["temperature"],
};
