import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import { placeOf } from "../flow/flow-context.ts";
import {
  type AdviceParts,
  branchedStages,
  drawsSamples,
  fansOut,
  settingOf,
  writesAnswer,
  writeTemperature,
} from "./advice-parts.ts";

/** Warns of answers that are sampled at temperature 0: they will be alike, and a vote over them says nothing. */
export function adviseAlikeSamples(
  parts: AdviceParts,
  unsound: ReadonlySet<string>,
  diagnostics: Diagnostics,
): void {
  for (const { stage, sampledBy } of branchedStages(parts.draft.strategy)) {
    if ([stage, sampledBy].some((one) => one !== undefined && unsound.has(one.id))) continue;
    const isSampled = sampledBy !== undefined && writesAnswer(stage);
    const draws = drawsSamples(stage);
    // A stage that fans out leaves the sampling to the stages in its slot.
    if (!draws && (!isSampled || fansOut(stage))) continue;
    const { default: standard, ...voices } = stage.models;
    const models = standard === undefined ? Object.values(voices) : [standard];
    const cold = models.find(({ sampling }) => sampling.temperature === 0);
    if (cold === undefined) continue;
    const owner = draws ? stage : (sampledBy ?? stage);
    diagnostics.warn(
      "LW-MODEL-ALIKE-SAMPLES",
      settingOf(parts, stage, "model") ?? placeOf(stage),
      `${samplesOf(owner.options)} of \`${stage.id}\` at temperature 0 will be alike`,
      writeTemperature(parts, stage, 0.8),
    );
  }
}

function samplesOf(options: Readonly<Record<string, unknown>>): string {
  const count = options["samples"];
  return typeof count === "number" ? `${count} samples` : "samples";
}
