import type { Capabilities, ConstraintLayer } from "@loopwright/core/plugin";
import { baseName, fits } from "./model-pattern.ts";
import type { Profile } from "./profile-fields.ts";

/** How a model of a profile can be asked for a schema. */
export function formsOf(
  profile: Profile,
  model: string,
): Pick<Capabilities, "structured" | "dialect" | "isSchemaAloneOnly"> {
  const { dialect, isSchemaAloneOnly } = profile;
  return { structured: structuredOf(profile, baseName(model)), dialect, isSchemaAloneOnly };
}

/** A model that always thinks takes no form where its endpoint refuses one while it does. */
function structuredOf(profile: Profile, model: string): ConstraintLayer {
  const { structured, schemaModels, alwaysThinkingModels, notWhileThinking } = profile;
  if (notWhileThinking.includes("response_format") && fits(alwaysThinkingModels, model))
    return "prompt";
  return fits(schemaModels, model) ? "json-schema" : structured;
}
