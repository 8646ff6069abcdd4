import type { JsonObject } from "../contracts/json.ts";
import type { Flow } from "../contracts/strategy.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { askPlugin } from "./check-stage.ts";
import { slotNamesOf } from "./slot-forms.ts";
import type { ReadStage } from "./stage-tree.ts";
import { allFields } from "./unknown-strategy.ts";

/** What a stage reads and writes by its options and slots; anything where its options are not sound. */
export function stageFlow(
  stage: ReadStage,
  options: JsonObject,
  isSound: boolean,
  diagnostics: Diagnostics,
): Flow {
  const unknown: Flow = { sets: allFields };
  if (!isSound) return unknown;
  const slots = slotNamesOf(stage.slots.keys());
  const ask = (): Flow => stage.definition.flow(options as never, slots);
  return askPlugin(stage, ask, unknown, diagnostics);
}
