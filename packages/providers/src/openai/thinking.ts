import type { JsonObject, ProviderRequest } from "@loopwright/core/plugin";
import { baseName, fits } from "./model-pattern.ts";
import type { Effort, Profile } from "./profile-fields.ts";
import { profileOf, profiles } from "./profiles.ts";

/** Whether a model of a profile is known to reason before it answers; of one that is not, nothing is claimed. */
export function thinks(profile: string, model: string, overrides?: JsonObject): boolean {
  return Object.hasOwn(profiles, profile) && isThinkingModel(profileOf(profile, overrides), model);
}

/** The same with the fields of the profile. */
export function isThinkingModel({ thinkingModels }: Profile, model: string): boolean {
  return fits(thinkingModels, baseName(model));
}

/** What a request says about thinking, and whether the model is known to think then. */
export interface Thinking {
  readonly fields: JsonObject;
  readonly isOn: boolean;
}

/** What of a request decides whether it is thought about. */
type Asked = Pick<ProviderRequest, "model" | "output" | "sampling">;

/** Chooses how a request is thought about: as the spec says, else as JSON and whole replies need it. */
export function thinkingOf(request: Asked, profile: Profile, stream: boolean): Thinking {
  const effort = effortOf(request, profile, stream);
  const isOn = effort === undefined ? isThinkingModel(profile, request.model) : effort !== "none";
  return { fields: effort === undefined ? {} : (profile.efforts[effort] ?? {}), isOn };
}

function effortOf(
  { model, output, sampling }: Asked,
  profile: Profile,
  stream: boolean,
): Effort | undefined {
  const isJson = output !== undefined && output.layer !== "prompt";
  const isOff =
    (profile.isJsonWithoutThinking && isJson) || (profile.thinkingNeedsStream && !stream);
  const effort = sampling.effort ?? (isOff ? "none" : undefined);
  return effort === "none" && !isStoppable(profile, model) ? undefined : effort;
}

/** Whether there are words against thinking that the model takes. */
function isStoppable({ efforts, alwaysThinkingModels }: Profile, model: string): boolean {
  const words = Object.keys(efforts.none ?? {});
  return words.length > 0 && !fits(alwaysThinkingModels, baseName(model));
}
