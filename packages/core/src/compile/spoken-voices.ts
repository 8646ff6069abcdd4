import type { JsonObject } from "../contracts/json.ts";
import type { StrategyDefinition } from "../contracts/strategy.ts";
import { slotNamesOf } from "./slot-forms.ts";

/** The voices in which a strategy speaks with these options and slots; the slots by the keys that programs store them by. */
export function spokenVoices(
  { voices, voicesUsed }: Pick<StrategyDefinition, "voices" | "voicesUsed">,
  options: JsonObject,
  slotKeys: Iterable<string>,
): readonly string[] {
  if (voicesUsed === undefined) return voices;
  return voicesUsed(options as never, slotNamesOf(slotKeys));
}
