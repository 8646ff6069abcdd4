import type { StrategyDefinition } from "../contracts/strategy.ts";
import type { OptionsOwner } from "../spec/document/options-context.ts";
import { commonSettings } from "../spec/document/spec-schemas.ts";
import type { ReadStage } from "./stage-tree.ts";

type KnownKeys = Required<Pick<OptionsOwner, "alsoKnown" | "entryKeys">>;

// A spec names the same few strategies over and over.
const known = new WeakMap<StrategyDefinition, KnownKeys>();

/** A stage as the owner of its options, for messages. */
export function ownerOf(stage: ReadStage): OptionsOwner {
  const { strategy, definition, options, settings, slots } = stage;
  return {
    name: strategy,
    unknownCode: "LW-STAGE-UNKNOWN-OPTION",
    missingCode: "LW-STAGE-MISSING-OPTION",
    isBare: [options.entries, settings.entries, slots].every(({ size }) => size === 0),
    ...keysOf(definition),
  };
}

function keysOf(definition: StrategyDefinition): KnownKeys {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const slots = Object.entries(definition.slots);
  const found: KnownKeys = {
    alsoKnown: { slots: Object.keys(definition.slots), "of every stage": commonSettings },
    entryKeys: Object.fromEntries(
      slots.flatMap(([slot, { under }]) => (under === undefined ? [] : [[slot, under]])),
    ),
  };
  known.set(definition, found);
  return found;
}
