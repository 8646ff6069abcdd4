import type { Capabilities, JsonObject } from "@loopwright/core/plugin";

/** What differs between endpoints that speak the OpenAI chat protocol. */
export interface Profile {
  readonly endpoint: string;
  /** The environment variable that holds the key. */
  readonly keyName: string;
  readonly needsKey: boolean;
  /** True when calls cost nothing. */
  readonly free: boolean;
  readonly structured: Capabilities["structured"];
  /** Whether a schema may be sent beside tools, and strictly where it allows that. */
  readonly schemaBesideTools: boolean;
  readonly strictSchemas: boolean;
  /** What each tool says beside its schema. */
  readonly toolFields: JsonObject;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** What the request says when no reasoning is wanted. */
  readonly withoutReasoning: JsonObject;
}

const compatible: Omit<Profile, "endpoint" | "keyName" | "structured"> = {
  needsKey: true,
  free: false,
  schemaBesideTools: false,
  strictSchemas: false,
  toolFields: {},
  maxTokensField: "max_tokens",
  withoutReasoning: { reasoning_effort: "none" },
};

const openai: Profile = {
  ...compatible,
  endpoint: "https://api.openai.com/v1",
  keyName: "OPENAI_API_KEY",
  structured: "json-schema",
  schemaBesideTools: true,
  strictSchemas: true,
  maxTokensField: "max_completion_tokens",
};

const profiles: Readonly<Record<string, Profile>> = {
  openai,
  deepseek: {
    ...compatible,
    endpoint: "https://api.deepseek.com",
    keyName: "DEEPSEEK_API_KEY",
    structured: "json-mode",
    withoutReasoning: { thinking: { type: "disabled" } },
  },
  kimi: {
    ...compatible,
    endpoint: "https://api.moonshot.ai/v1",
    keyName: "MOONSHOT_API_KEY",
    structured: "json-mode",
    // Without it one schema outside of Kimi's dialect fails the whole request.
    toolFields: { strict: false },
    withoutReasoning: { thinking: { type: "disabled" } },
  },
  qwen: {
    ...compatible,
    endpoint: "https://dashscope.aliyuncs.com/compatible-mode/v1",
    keyName: "DASHSCOPE_API_KEY",
    structured: "json-mode",
    withoutReasoning: { enable_thinking: false },
  },
  ollama: {
    ...compatible,
    endpoint: "http://localhost:11434/v1",
    keyName: "OLLAMA_API_KEY",
    needsKey: false,
    free: true,
    structured: "json-schema",
  },
  vllm: {
    ...compatible,
    endpoint: "http://localhost:8000/v1",
    keyName: "VLLM_API_KEY",
    needsKey: false,
    free: true,
    structured: "json-schema",
    withoutReasoning: { chat_template_kwargs: { enable_thinking: false } },
  },
};

/** The profile of an id; an unknown id is an endpoint like OpenAI's own. */
export function profileOf(id: string): Profile {
  return (Object.hasOwn(profiles, id) ? profiles[id] : undefined) ?? openai;
}

/** The profiles whose calls cost nothing. */
export function freeProfiles(): readonly string[] {
  return Object.keys(profiles).filter((id) => profiles[id]?.free === true);
}
