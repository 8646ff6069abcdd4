import type { SlotDeclaration } from "../contracts/slots.ts";
import type { StrategyDefinition } from "../contracts/strategy.ts";
import { emptyMap } from "../spec/document/named-entries.ts";
import { commonSettings } from "../spec/document/spec-schemas.ts";
import {
  type KnownStrategies,
  readStageForms,
  type StageForm,
} from "../spec/document/stage-form.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import {
  childPath,
  type MapEntry,
  type MapNode,
  positionOf,
  type ScalarNode,
  type SpecNode,
} from "../spec/text/spec-node.ts";
import { resolvePlugin, type CompileContext } from "./compile-context.ts";
import {
  countStages,
  type NamedStrategies,
  type NamedStrategy,
  readStrategies,
  type StageCount,
  useStrategy,
} from "./named-strategies.ts";
import { readSlot, slotForm, type SlotChild } from "./slot-forms.ts";
import { nameDrafts, type StageDraft } from "./stage-drafts.ts";
import type { StageTree } from "./stage-tree.ts";
import { unknownStrategy } from "./unknown-strategy.ts";

export { flattenStages, type ReadStage } from "./stage-tree.ts";

/** Finds the strategy of every stage, at any depth; `strategies` holds those of the spec itself, expanded where they are named. */
export function readStages(
  strategy: SpecNode | undefined,
  strategies: SpecNode | undefined,
  context: CompileContext,
): StageTree {
  const named = readStrategies(strategies, context);
  const reading: Reading = {
    named,
    names: [...named.all.keys()],
    isStrategy: (id) => named.all.has(id) || context.plugins.has("strategy", id),
    known: new Map(),
    trail: [],
    counted: { count: 0 },
    context,
  };
  const drafts = strategy === undefined ? [] : draftStages(strategy, reading);
  const stages = nameDrafts(drafts, context);
  return { stages, unused: readUnused(reading) };
}

function readUnused(reading: Reading): StageTree["unused"] {
  const { named, context, counted } = reading;
  const apart = [...named.all.values()].filter(({ name }) => !named.used.has(name));
  for (const one of apart) readNamed(one, reading);
  // What another unused one holds is read there.
  const unused = apart.flatMap((one) => {
    if (named.used.has(one.name)) return [];
    const { drafts, size } = readNamed(one, reading);
    const isSmall = countStages(one.at, counted, size, named, context);
    const stages = isSmall ? nameDrafts(drafts, context) : [];
    return [[one.name, { at: one.at, stages }] as const];
  });
  return new Map(unused);
}

interface Reading {
  readonly named: NamedStrategies;
  /** The names of `strategies`. */
  readonly names: readonly string[];
  /** Whether a key names a strategy. */
  readonly isStrategy: (id: string) => boolean;
  /** Named strategies that were read: each is read once, however often it is used. */
  readonly known: Map<string, NamedDrafts>;
  /** The named strategies that are being read, the outermost first. */
  readonly trail: readonly string[];
  readonly counted: StageCount;
  readonly context: CompileContext;
}

interface NamedDrafts {
  readonly drafts: readonly StageDraft[];
  /** How many stages it expands to. */
  readonly size: number;
}

/** Stands in `unsound` for a stage that could not be read at all: no id is written so. */
const lostStage: string = "(lost)";

function draftStages(node: SpecNode, reading: Reading): readonly StageDraft[] {
  const { context } = reading;
  const { forms, isWhole } = readStageForms(node, knownStrategies(reading), context.diagnostics);
  if (!isWhole) context.unsound.add(lostStage);
  return forms.flatMap((form) => {
    const drafts = draftForm(form, reading);
    if (drafts === undefined) context.unsound.add(lostStage);
    return drafts ?? [];
  });
}

/** The stages that one stands for; undefined where it can't be expanded, which is reported. */
function draftForm(form: StageForm, reading: Reading): readonly StageDraft[] | undefined {
  const { context, named, counted, trail } = reading;
  const found = useStrategy(form, named, trail, context);
  if (found === undefined) {
    if (named.all.has(form.strategy)) return undefined;
    const isSmall = countStages(form.at, counted, 0, named, context);
    const draft = draftStage(form, reading);
    return isSmall ? [draft] : undefined;
  }
  const { drafts, size } = readNamed(found, reading);
  return countStages(form.at, counted, size, named, context) ? drafts : undefined;
}

function readNamed({ name, stages }: NamedStrategy, reading: Reading): NamedDrafts {
  const known = reading.known.get(name);
  if (known !== undefined) return known;
  const counted: StageCount = { count: 0 };
  const trail = [...reading.trail, name];
  const drafts = draftStages(stages, { ...reading, trail, counted });
  const read: NamedDrafts = { drafts, size: counted.count };
  reading.known.set(name, read);
  return read;
}

function draftStage(form: StageForm, reading: Reading): StageDraft {
  const { context, names, isStrategy } = reading;
  const code = "LW-PLUGIN-UNKNOWN";
  const found = resolvePlugin("strategy", form.strategy, form.at, context, code, names);
  const definition = found?.definition ?? unknownStrategy(form.strategy, form.body, isStrategy);
  const given = Object.entries(definition.slots).map(([slot, declaration]) =>
    readGiven(form, slot, declaration, reading),
  );
  const children = given.flatMap((one) => one.children);
  const body: MapNode = { ...form.body, ...positionOf(form.at) };
  const under = reading.trail.at(-1);
  const { settings, options } = sortEntries(form.body, definition);
  for (const { beside } of given) if (beside !== undefined) options.set(beside.key.text, beside);
  return {
    strategy: form.strategy,
    definition,
    isUnknown: found === undefined,
    isFaulty: form.isFaulty,
    at: form.at,
    ...(under === undefined ? {} : { under }),
    settings: { ...body, entries: settings },
    options: { ...body, entries: options },
    slots: new Map(children.map(({ key, stages }) => [key, draftStages(stages, reading)] as const)),
    childNames: childNamesOf(given),
  };
}

/** What a stage says under settings and options; what stands under its slots is read apart. */
function sortEntries(
  { entries }: MapNode,
  { slots }: StrategyDefinition,
): { readonly settings: Map<string, MapEntry>; readonly options: Map<string, MapEntry> } {
  const settings = new Map<string, MapEntry>();
  const options = new Map<string, MapEntry>();
  for (const [key, said] of entries) {
    if (commonSettings.includes(key)) settings.set(key, said);
    else if (!Object.hasOwn(slots, key)) options.set(key, said);
  }
  return { settings, options };
}

function childNamesOf(given: readonly Given[]): ReadonlyMap<string, ScalarNode> {
  const names = new Map<string, ScalarNode>();
  for (const { at } of given) if (at !== undefined) names.set(at.text, at);
  for (const { children } of given)
    for (const { key, name } of children) if (name !== undefined) names.set(key, name);
  return names;
}

interface Given {
  /** Where the name of the slot stands. */
  readonly at?: ScalarNode;
  readonly children: readonly SlotChild[];
  /** The option of the slot's name. */
  readonly beside?: MapEntry;
}

function readGiven(
  form: StageForm,
  slot: string,
  declaration: SlotDeclaration,
  reading: Reading,
): Given {
  const { diagnostics, record } = reading.context;
  const said = form.body.entries.get(slot);
  const hasOption = declaration.under !== undefined;
  if (said === undefined) {
    if (declaration.optional) return { children: [] };
    reportMissing(form, slot, declaration, diagnostics);
    const key = scalarAt(form.at, slot);
    return { children: [], ...(hasOption ? { beside: { key, value: emptyMap(form.at) } } : {}) };
  }
  const owner = { slot, declaration, isStrategy: reading.isStrategy, diagnostics };
  const { children, beside } = readSlot(said.value, owner);
  for (const { name } of children)
    if (name !== undefined) record.use("branch", name.text, name, true);
  const option = { key: said.key, value: beside ?? emptyMap(said.value) };
  return { at: said.key, children, ...(hasOption ? { beside: option } : {}) };
}

const forms: Readonly<Record<SlotDeclaration["form"], string>> = {
  one: "a stage or a list of stages",
  named: "a map of names, each with a stage or a list of stages",
  listed: "a list of stages",
};

function reportMissing(
  form: StageForm,
  slot: string,
  { description, form: kind, under }: SlotDeclaration,
  diagnostics: Diagnostics,
): void {
  const message = `\`${form.strategy}\` needs \`${slot}\`: ${description}`;
  const repair =
    under === undefined
      ? `write \`${slot}:\` with ${forms[kind]}`
      : `write \`${slot}: { NAME: { ..., ${under}: ... } }\``;
  diagnostics.error("LW-STAGE-MISSING-SLOT", form.at, message, repair);
}

function scalarAt(at: SpecNode, text: string): ScalarNode {
  const path = childPath(at.path, text);
  return { kind: "scalar", ...positionOf(at), path, value: text, text, style: "plain" };
}

function knownStrategies(reading: Reading): KnownStrategies {
  const { plugins } = reading.context;
  return {
    isStrategy: reading.isStrategy,
    formOf: (id, list) => {
      const found = plugins.find("strategy", id);
      return found?.status === "found" ? slotForm(found.definition.slots, list) : undefined;
    },
  };
}
