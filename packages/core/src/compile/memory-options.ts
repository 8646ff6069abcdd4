import type { StrategyDefinition } from "../contracts/strategy.ts";
import { markerOf, propertiesOf } from "../spec/document/schema-parts.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";

// A spec names the same few strategies over and over.
const known = new WeakMap<StrategyDefinition, readonly string[]>();

/** The options of a strategy that name a memory. */
export function memoryOptionsOf(definition: StrategyDefinition): readonly string[] {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const properties = [...propertiesOf(asJsonSchema(definition.options))];
  const found = properties.flatMap(([option, schema]) =>
    markerOf(schema)?.kind === "memory" ? [option] : [],
  );
  known.set(definition, found);
  return found;
}
