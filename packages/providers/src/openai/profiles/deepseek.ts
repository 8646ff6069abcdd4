import type { Profile } from "../profile-fields.ts";

/** DeepSeek: JSON mode only; reasoning goes back beside calls, also where it is empty. */
export const deepseekProfile: Partial<Profile> = {
  endpoint: "https://api.deepseek.com",
  keyName: "DEEPSEEK_API_KEY",
  structured: "json-mode",
  jsonTokens: 8_192,
  thinkingTokens: 24_576,
  echo: "with-tool-calls",
  echoFiller: "",
  thinkingModels: "^deepseek-(?:reasoner|v4)(?:-|$)",
  alwaysThinkingModels: "^deepseek-reasoner(?:-|$)",
  efforts: {
    none: { thinking: { type: "disabled" } },
    minimal: { thinking: { type: "enabled" }, reasoning_effort: "low" },
    low: { thinking: { type: "enabled" }, reasoning_effort: "low" },
    medium: { thinking: { type: "enabled" }, reasoning_effort: "high" },
    high: { thinking: { type: "enabled" }, reasoning_effort: "high" },
  },
  notWhileThinking: ["temperature"],
};
