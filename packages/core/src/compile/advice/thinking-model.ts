import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import { placeOf } from "../flow/flow-context.ts";
import { type AdviceParts, branchedStages, settingOf } from "./advice-parts.ts";

/** Warns of chain-of-thought on a model that thinks by itself: the thinking is paid for twice. */
export function adviseThinkingModel(parts: AdviceParts, diagnostics: Diagnostics): void {
  for (const { stage } of branchedStages(parts.draft.strategy)) {
    if (!/(^|\/)chain-of-thought$/.test(stage.definition.id)) continue;
    const thinking = Object.values(stage.models).find(
      ({ definition, profile, model, overrides, sampling }) =>
        sampling.effort !== "none" && definition.thinks?.(profile, model, overrides) === true,
    );
    if (thinking === undefined) continue;
    diagnostics.warn(
      "LW-MODEL-THINKS",
      settingOf(parts, stage, "model") ?? placeOf(stage),
      `\`${thinking.id}\` thinks before it answers; \`${stage.id}\` asks it to think step by step once more`,
      "write `direct` instead, or `effort: none` in the model",
    );
  }
}
