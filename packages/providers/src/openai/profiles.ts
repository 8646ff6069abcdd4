import { type JsonObject, type ProviderDefinition, Type } from "@loopwright/core/plugin";
import { plainProfile } from "./plain-profile.ts";
import { fieldSchemas, type Profile } from "./profile-fields.ts";
import { anthropicCompatProfile } from "./profiles/anthropic-compat.ts";
import { customProfile } from "./profiles/custom.ts";
import { deepseekProfile } from "./profiles/deepseek.ts";
import { geminiCompatProfile } from "./profiles/gemini-compat.ts";
import { glmProfile } from "./profiles/glm.ts";
import { kimiProfile } from "./profiles/kimi.ts";
import { llamacppProfile } from "./profiles/llamacpp.ts";
import { ollamaProfile } from "./profiles/ollama.ts";
import { openaiProfile } from "./profiles/openai.ts";
import { openrouterProfile } from "./profiles/openrouter.ts";
import { qwenProfile } from "./profiles/qwen.ts";
import { vllmProfile } from "./profiles/vllm.ts";

/** What each profile says, by the id that a spec names it with. */
export const profiles: Readonly<Record<string, Partial<Profile>>> = {
  openai: openaiProfile,
  deepseek: deepseekProfile,
  kimi: kimiProfile,
  qwen: qwenProfile,
  glm: glmProfile,
  "gemini-compat": geminiCompatProfile,
  "anthropic-compat": anthropicCompatProfile,
  ollama: ollamaProfile,
  vllm: vllmProfile,
  llamacpp: llamacppProfile,
  openrouter: openrouterProfile,
  custom: customProfile,
};

/** The fields that a spec may lay over a profile, all optional. */
export const profileFields: NonNullable<ProviderDefinition["profileFields"]> = Type.Partial(
  Type.Object(fieldSchemas, { additionalProperties: false }),
);

/** The profile of an id with what a spec lays over it; an unknown id is an endpoint like OpenAI's own. Each effort counts alone. */
export function profileOf(id: string, overrides: Partial<Profile> | JsonObject = {}): Profile {
  const known = Object.hasOwn(profiles, id) ? profiles[id] : openaiProfile;
  const own = overrides as Partial<Profile>;
  const { alwaysThinkingModels, ...profile } = { ...plainProfile, ...known };
  // Who says how thinking is turned off says that the models take it.
  const isUntouched = own.efforts?.none === undefined && alwaysThinkingModels !== undefined;
  const unstoppable = isUntouched ? { alwaysThinkingModels } : {};
  return { ...profile, ...unstoppable, ...own, efforts: { ...profile.efforts, ...own.efforts } };
}

/** The profiles whose calls cost nothing. */
export function freeProfiles(): readonly string[] {
  return Object.keys(profiles).filter((id) => profiles[id]?.free === true);
}
