import type { JsonObject } from "../contracts/json.ts";
import type { Flow, StrategyDefinition } from "../contracts/strategy.ts";
import { textOf, writeInstead } from "../spec/document/node-text.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { markerOf, propertiesOf } from "../spec/document/schema-parts.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";
import { Diagnostics } from "../spec/text/diagnostic.ts";
import type { ObjectShape } from "../spec/text/shape.ts";
import {
  childPath,
  entry,
  type MapEntry,
  type MapNode,
  positionOf,
  type ScalarNode,
} from "../spec/text/spec-node.ts";
import { slotNamesOf } from "./slot-forms.ts";
import { listShape } from "./stage-scope.ts";
import type { ReadStage } from "./stage-tree.ts";
import type { ListBounds } from "./state-shape.ts";

const fieldOf = { "plan.steps": "plan", candidates: "candidates", lessons: "lessons" } as const;
type BoundedList = keyof typeof fieldOf;

/**
 * The most items of the lists that stages write, where all their writers name a bound.
 *
 * They are part of the shape of the state, which must be known before options are read; so the options are read for
 * this alone, without a word about what is wrong with them, and only where an option asks for such a bound.
 */
export function listBounds(
  stages: readonly ReadStage[],
  shape: ObjectShape,
  options: Pick<OptionsContext, "root" | "memories">,
): ListBounds {
  if (!stages.some((stage) => boundsOf(stage).length > 0)) return {};
  const flows = stages.map((stage) => flowOf(stage, shape, options));
  const known = Object.entries(fieldOf).flatMap(([list, field]) => {
    const writing = flows.filter(({ sets = [], maySet = [] }) =>
      [...sets, ...maySet].includes(field),
    );
    const bounds = writing.map(({ maxItems }) => maxItems?.[list as BoundedList] ?? Infinity);
    // What no stage writes is empty, and told elsewhere.
    const most = Math.max(1, ...bounds);
    return Number.isFinite(most) ? [[list, most] as const] : [];
  });
  return Object.fromEntries(known);
}

function flowOf(
  stage: ReadStage,
  shape: ObjectShape,
  context: Pick<OptionsContext, "root" | "memories">,
): Flow {
  const flow = askSilently(stage, shape, context, (options) =>
    stage.definition.flow(options as never, slotNamesOf(stage.slots.keys())),
  );
  return flow ?? { maySet: ["plan", "candidates", "lessons"] };
}

/** Asks a strategy about its options; undefined where it fails on them, which is told when they are read in earnest. */
export function askSilently<T>(
  stage: ReadStage,
  shape: ObjectShape,
  { root, memories }: Pick<OptionsContext, "root" | "memories">,
  question: (options: JsonObject) => T,
): T | undefined {
  const owner = {
    name: stage.strategy,
    unknownCode: "LW-STAGE-UNKNOWN-OPTION",
    missingCode: "LW-STAGE-MISSING-OPTION",
  } as const;
  const silent = { diagnostics: new Diagnostics(), shape, root, memories, readChecks: () => [] };
  try {
    const schema = asJsonSchema(stage.definition.options);
    const { value } = readOptions(stage.options, schema, owner, silent);
    return question(value);
  } catch {
    return undefined;
  }
}

interface BoundOption {
  readonly option: string;
  /** The option that holds the list. */
  readonly of: string;
}

const knownBounds = new WeakMap<StrategyDefinition, readonly BoundOption[]>();

/** The options of a stage that are the bound of a list in another one. */
function boundsOf({ definition }: ReadStage): readonly BoundOption[] {
  const known = knownBounds.get(definition);
  if (known !== undefined) return known;
  const found = [...propertiesOf(asJsonSchema(definition.options))].flatMap(([option, schema]) => {
    const marker = markerOf(schema);
    return marker?.kind === "count" && marker.boundOf !== undefined
      ? [{ option, of: marker.boundOf }]
      : [];
  });
  knownBounds.set(definition, found);
  return found;
}

/** Fills in the bounds of lists that a stage leaves out; a list without a known one is reported. */
export function fillInBounds(
  stage: ReadStage,
  shape: ObjectShape,
  diagnostics: Diagnostics,
): MapNode {
  const bounds = boundsOf(stage);
  for (const { option } of bounds) {
    const said = entry(stage.options, option);
    if (said?.kind === "scalar" && said.value === 0)
      diagnostics.error(
        "LW-VALUE-RANGE",
        said,
        `\`${option}\` is at least 1`,
        writeInstead(said, "1"),
      );
  }
  const left = bounds.filter(({ option }) => !stage.options.entries.has(option));
  const filled = left.flatMap(({ option, of }) => {
    const list = listShape(stage, of, shape);
    if (list?.kind === "list" && list.maxItems !== undefined)
      return [[option, entryAt(stage, option, Math.max(1, list.maxItems))] as const];
    const said = entry(stage.options, of);
    // A list that is missing or can't be read, or stands in broken inputs, is reported as such.
    const isBroken = shape.fields["inputs"]?.kind === "any" && textOf(said)?.includes("inputs");
    if (said === undefined || list === undefined || isBroken === true) return [];
    const message = `\`${stage.strategy}\` over a list without a known bound needs \`${option}\``;
    const repair = `write \`${option}: 10\` beside \`${of}\``;
    diagnostics.error("LW-LIMIT-UNBOUNDED", said, message, repair);
    return [];
  });
  if (filled.length === 0) return stage.options;
  return { ...stage.options, entries: new Map([...stage.options.entries, ...filled]) };
}

function entryAt({ at, options }: ReadStage, option: string, count: number): MapEntry {
  const place = { ...positionOf(at), path: childPath(options.path, option) };
  const scalar = (value: string | number): ScalarNode => ({
    kind: "scalar",
    ...place,
    value,
    text: String(value),
    style: "plain",
  });
  return { key: scalar(option), value: scalar(count) };
}
