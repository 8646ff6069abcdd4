import { NO_BOUNDS } from "../contracts/bounds.ts";
import { Type } from "../contracts/schema.ts";
import { one } from "../contracts/slots.ts";
import type { StateField } from "../contracts/state.ts";
import { defineStrategy, type StrategyDefinition } from "../contracts/strategy.ts";
import { textOf } from "../spec/document/node-text.ts";
import type { MapNode, SpecNode } from "../spec/text/spec-node.ts";

const fields: Readonly<Record<StateField, true>> = {
  plan: true,
  observations: true,
  answer: true,
  verdict: true,
  candidates: true,
  lessons: true,
  thread: true,
};

/** Every field that a stage can write: what is taken for written by a stage that is not known whole. */
export const allFields: readonly StateField[] = Object.keys(fields) as StateField[];

/**
 * Stands in for a strategy that was not found, so that the rest of the spec is checked as if it were there: it may write
 * everything, and what looks like stages below it is read as such.
 */
export function unknownStrategy(
  id: string,
  body: MapNode,
  isStrategy: (id: string) => boolean,
): StrategyDefinition {
  const slots = [...body.entries].flatMap(([key, { value }]) =>
    holdsStages(value, isStrategy)
      ? [[key, one({ description: "", optional: true, runs: "maybe" })] as const]
      : [],
  );
  return defineStrategy({
    id,
    description: "",
    options: Type.Object({}),
    slots: Object.fromEntries(slots),
    flow: { sets: allFields },
    bounds: () => NO_BOUNDS,
    run: async () => {},
  });
}

function holdsStages(node: SpecNode, isStrategy: (id: string) => boolean): boolean {
  if (node.kind === "list")
    return node.items.length > 0 && node.items.every((item) => holdsStages(item, isStrategy));
  if (node.kind === "scalar") return isStrategy(textOf(node) ?? "");
  const [only, ...others] = node.entries.values();
  return only !== undefined && others.length === 0 && isStrategy(only.key.text);
}
