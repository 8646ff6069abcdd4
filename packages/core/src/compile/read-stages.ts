import type { SlotDeclaration } from "../contracts/slots.ts";
import { emptyMap, only, without } from "../spec/document/named-entries.ts";
import { commonSettings } from "../spec/document/spec-schemas.ts";
import { readStageForms, type StageForm } from "../spec/document/stage-form.ts";
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
  countStage,
  type NamedStrategies,
  readStrategies,
  useStrategy,
} from "./named-strategies.ts";
import { readSlot, type SlotChild } from "./slot-forms.ts";
import { nameStages } from "./stage-ids.ts";
import type { ReadStage, StageTree } from "./stage-tree.ts";
import { unknownStrategy } from "./unknown-strategy.ts";

export { flattenStages, type ReadStage } from "./stage-tree.ts";

/** Finds the strategy of every stage, at any depth; `strategies` holds those of the spec itself, expanded where they are named. */
export function readStages(
  strategy: SpecNode | undefined,
  strategies: SpecNode | undefined,
  context: CompileContext,
): StageTree {
  const named = readStrategies(strategies, context);
  const reading: Reading = { named, trail: [], context };
  const stages = strategy === undefined ? [] : nameDrafts(draftStages(strategy, reading), context);
  const unused = [...named.all.values()].flatMap((one) => {
    if (named.used.has(one.name)) return [];
    const drafts = draftStages(one.stages, { ...reading, trail: [one.name] });
    return [[one.name, { at: one.at, stages: nameDrafts(drafts, context) }] as const];
  });
  return { stages, unused: new Map(unused.filter(([name]) => !named.used.has(name))) };
}

interface Reading {
  readonly named: NamedStrategies;
  /** The named strategies that are being expanded, the outermost first. */
  readonly trail: readonly string[];
  readonly context: CompileContext;
}

/** Stands in `unsound` for a stage that could not be read at all: no id is written so. */
const lostStage: string = "(lost)";

interface Draft extends Omit<ReadStage, "id" | "slots"> {
  /** Whether something was meant for it and stands elsewhere. */
  readonly isFaulty: boolean;
  readonly slots: ReadonlyMap<string, readonly Draft[]>;
}

function draftStages(node: SpecNode, reading: Reading): readonly Draft[] {
  const { context, named } = reading;
  const { forms, isWhole } = readStageForms(node, strategyTest(reading), context.diagnostics);
  if (!isWhole) context.unsound.add(lostStage);
  return forms.flatMap((form) => {
    const found = useStrategy(form, named, reading.trail, context);
    if (found !== undefined)
      return draftStages(found.stages, { ...reading, trail: [...reading.trail, found.name] });
    if (!named.all.has(form.strategy) && countStage(form.at, named, context))
      return [draftStage(form, reading)];
    context.unsound.add(lostStage);
    return [];
  });
}

function draftStage(form: StageForm, reading: Reading): Draft {
  const { context, named } = reading;
  const known = [...named.all.keys()];
  const code = "LW-PLUGIN-UNKNOWN";
  const found = resolvePlugin("strategy", form.strategy, form.at, context, code, known);
  const isStrategy = strategyTest(reading);
  const definition = found?.definition ?? unknownStrategy(form.strategy, form.body, isStrategy);
  const body: MapNode = { ...form.body, ...positionOf(form.at) };
  const given = Object.entries(definition.slots).map(([slot, declaration]) =>
    readGiven(form, slot, declaration, reading),
  );
  const children = given.flatMap((one) => one.children);
  const plain = without(body, [...commonSettings, ...Object.keys(definition.slots)]);
  const beside = given.flatMap((one) => (one.beside === undefined ? [] : [one.beside]));
  return {
    strategy: form.strategy,
    definition,
    isUnknown: found === undefined,
    isFaulty: form.isFaulty,
    at: form.at,
    settings: only(body, commonSettings),
    options: {
      ...plain,
      entries: new Map([...plain.entries, ...beside.map((one) => [one.key.text, one] as const)]),
    },
    slots: new Map(children.map(({ key, stages }) => [key, draftStages(stages, reading)] as const)),
    childNames: new Map([
      ...given.flatMap(({ at }) => (at === undefined ? [] : [[at.text, at] as const])),
      ...children.flatMap(({ key, name }) => (name === undefined ? [] : [[key, name] as const])),
    ]),
  };
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
  const owner = { slot, declaration, isStrategy: strategyTest(reading), diagnostics };
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

function strategyTest({ named, context }: Reading): (id: string) => boolean {
  return (id) => named.all.has(id) || context.plugins.has("strategy", id);
}

function nameDrafts(drafts: readonly Draft[], context: CompileContext): readonly ReadStage[] {
  const flat: Draft[] = [];
  const collect = (draft: Draft): void => {
    flat.push(draft);
    for (const children of draft.slots.values()) children.forEach(collect);
  };
  drafts.forEach(collect);
  const ids = nameStages(
    flat.map(({ strategy, at, settings }) => ({
      strategy,
      at,
      idNode: settings.entries.get("id")?.value,
    })),
    context.diagnostics,
  );
  const seen = new Set<string>();
  for (const [index, id] of ids.entries()) {
    if (seen.has(id) || flat[index]?.isFaulty === true) context.unsound.add(id);
    seen.add(id);
  }
  const idOf = new Map(flat.map((draft, index) => [draft, ids[index] ?? draft.strategy]));
  const named = (draft: Draft): ReadStage => ({
    ...draft,
    id: idOf.get(draft) ?? draft.strategy,
    slots: new Map([...draft.slots].map(([key, children]) => [key, children.map(named)])),
  });
  return drafts.map(named);
}
