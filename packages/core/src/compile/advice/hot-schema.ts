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

const warmest = 0.3;

/** Warns of stages whose answer must fit the spec's output and whose model samples above 0.3; samples that must differ are left alone. */
export function adviseHotSchema(parts: AdviceParts, diagnostics: Diagnostics): void {
  if (parts.draft.output === undefined) return;
  for (const { stage, sampledBy } of branchedStages(parts.draft.strategy)) {
    const isOne = sampledBy === undefined && !drawsSamples(stage) && !fansOut(stage);
    if (!isOne || !writesAnswer(stage) || stage.bounds.generations[1] === 0) continue;
    const { default: standard, ...voices } = stage.models;
    const models = standard === undefined ? Object.values(voices) : [standard];
    const hot = models.find(({ sampling }) => (sampling.temperature ?? 0) > warmest);
    if (hot === undefined) continue;
    diagnostics.warn(
      "LW-MODEL-HOT-SCHEMA",
      settingOf(parts, stage, "model") ?? placeOf(stage),
      `\`${stage.id}\` must answer in the form of \`output\`, and its model \`${hot.id}\` samples at temperature ${hot.sampling.temperature ?? 0}: above ${warmest} replies break the form more often`,
      `${writeTemperature(parts, stage, 0)}, and let an earlier stage have the ideas`,
    );
  }
}
