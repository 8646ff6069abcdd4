import type { StateField } from "../../contracts/state.ts";
import type { CheckEntry, CompiledSequence, CompiledStage } from "../../program/program.ts";
import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import type { Position } from "../../spec/text/position.ts";
import type { ReadStage } from "../read-stages.ts";
import type { StateRead } from "./state-reads.ts";

/** What the checks of the data flow share. */
export interface FlowContext {
  readonly diagnostics: Diagnostics;
  /** The stages as the spec writes them, by id. */
  readonly sites: ReadonlyMap<string, ReadStage>;
  readonly checks: readonly CheckEntry[];
  /** The stages that may write a field, in the order of the spec. */
  readonly writers: ReadonlyMap<StateField, readonly CompiledStage[]>;
  /** What each stage may leave behind, its children included. */
  readonly leaves: ReadonlyMap<CompiledStage, ReadonlySet<StateField>>;
  /** Ids of stages of which nothing is known: they may read and write everything. */
  readonly unsound: ReadonlySet<string>;
  /** Stages that never run; added to as they are met. */
  readonly idle: Set<CompiledStage>;
  /** What may be written where each stage starts; noted as they are met. */
  readonly starts: Map<CompiledStage, ReadonlySet<StateField>>;
  /** Reads of what no stage writes, which is told of them; added to as they are met. */
  readonly unwritten: Set<StateRead>;
  /** What the texts and expressions of each stage read. */
  readonly reads: ReadonlyMap<CompiledStage, readonly StateRead[]>;
}

/** The fields of which a branch brings its own additions; all others hold one value. */
export const listFields: ReadonlySet<StateField> = new Set<StateField>([
  "observations",
  "candidates",
  "lessons",
]);

const allFields: readonly StateField[] = [
  "plan",
  "observations",
  "answer",
  "verdict",
  "candidates",
  "lessons",
  "thread",
];

type Unsound = Pick<FlowContext, "unsound">;

/** What a stage always writes itself. */
export function ownSets({ id, flow }: CompiledStage, { unsound }: Unsound): readonly StateField[] {
  return unsound.has(id) ? allFields : (flow.sets ?? []);
}

/** What a stage writes itself, surely or not. */
export function ownWrites(stage: CompiledStage, context: Unsound): readonly StateField[] {
  const { maySet = [] } = stage.flow;
  const sets = ownSets(stage, context);
  return maySet.length === 0 ? sets : [...sets, ...maySet];
}

/** Where a stage stands, with its path. */
export function placeOf(stage: CompiledStage): Position & { readonly path: string } {
  return { ...stage.position, path: stage.path };
}

/** A child of a slot, under its name when the slot has several. */
export interface SlotChild {
  readonly slot: string;
  readonly name: string;
  readonly sequence: CompiledSequence;
}

// Every check of a pass asks for them, and compiled stages never change.
const knownChildren = new WeakMap<CompiledStage, readonly SlotChild[]>();
const knownStages = new WeakMap<CompiledSequence, readonly CompiledStage[]>();

/** The children of a stage that its declaration names, in the order of the declaration. */
export function childrenOf(stage: CompiledStage): readonly SlotChild[] {
  const known = knownChildren.get(stage);
  if (known !== undefined) return known;
  const found = findChildren(stage);
  knownChildren.set(stage, found);
  return found;
}

const noChildren: readonly SlotChild[] = [];

function findChildren(stage: CompiledStage): readonly SlotChild[] {
  const entries = Object.entries(stage.slots);
  if (entries.length === 0) return noChildren;
  const found: SlotChild[] = [];
  for (const slot of Object.keys(stage.definition.slots)) {
    for (const [key, sequence] of entries) {
      if (key === slot) found.push({ slot, name: slot, sequence });
      else if (key.startsWith(`${slot}.`))
        found.push({ slot, name: key.slice(slot.length + 1), sequence });
    }
  }
  return found;
}

/** Every stage of a tree, each before its children. */
export function allStages(sequence: CompiledSequence): readonly CompiledStage[] {
  const known = knownStages.get(sequence);
  if (known !== undefined) return known;
  const found = findStages(sequence);
  knownStages.set(sequence, found);
  return found;
}

function findStages(sequence: CompiledSequence): readonly CompiledStage[] {
  const found: CompiledStage[] = [];
  const visit = (stage: CompiledStage): void => {
    found.push(stage);
    for (const { sequence: inner } of childrenOf(stage)) inner.stages.forEach(visit);
  };
  sequence.stages.forEach(visit);
  return found;
}

/** The stages that may write each field. */
export function writersOf(
  stages: readonly CompiledStage[],
  context: Unsound,
): ReadonlyMap<StateField, readonly CompiledStage[]> {
  const writers = new Map<StateField, CompiledStage[]>();
  for (const stage of stages) {
    for (const field of new Set(ownWrites(stage, context))) {
      const known = writers.get(field);
      if (known === undefined) writers.set(field, [stage]);
      else known.push(stage);
    }
  }
  return writers;
}

/** What each stage may leave behind, its children included; `stages` holds each before its children. */
export function leavingsOf(
  stages: readonly CompiledStage[],
  context: Unsound,
): ReadonlyMap<CompiledStage, ReadonlySet<StateField>> {
  const leaves = new Map<CompiledStage, ReadonlySet<StateField>>();
  for (const stage of stages.toReversed()) {
    const fields = new Set(ownWrites(stage, context));
    for (const { slot, sequence } of childrenOf(stage)) {
      for (const child of sequence.stages)
        for (const field of leaves.get(child) ?? [])
          if (keepsWritesOf(stage, slot, field)) fields.add(field);
    }
    leaves.set(stage, fields);
  }
  return leaves;
}

/** Whether what a child writes is still there after the stage: one that leaves a list of results keeps the single values of its items in it alone. */
export function keepsWritesOf(
  { definition }: CompiledStage,
  slot: string,
  field: StateField,
): boolean {
  const isOfItem = definition.result === "list" && definition.slots[slot]?.concurrent === true;
  return !isOfItem || listFields.has(field);
}

/** Everything that a sequence may leave behind. */
export function leavingsOfSequence(
  { stages }: CompiledSequence,
  { leaves }: FlowContext,
): readonly StateField[] {
  const fields = new Set<StateField>();
  for (const stage of stages) for (const field of leaves.get(stage) ?? []) fields.add(field);
  return [...fields];
}

/** The stage below that writes a field first, or the stage itself. */
export function writerIn(
  stage: CompiledStage,
  field: StateField,
  context: FlowContext,
): CompiledStage {
  if (ownWrites(stage, context).includes(field)) return stage;
  for (const { sequence } of childrenOf(stage)) {
    const writer = sequence.stages.find((child) => context.leaves.get(child)?.has(field) === true);
    if (writer !== undefined) return writerIn(writer, field, context);
  }
  return stage;
}
