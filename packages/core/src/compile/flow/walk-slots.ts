import type { StateField } from "../../contracts/state.ts";
import type { StrategyDefinition } from "../../contracts/strategy.ts";
import type { CompiledSequence, CompiledStage } from "../../program/program.ts";
import { reportTwoWriters } from "./beside.ts";
import {
  childrenOf,
  type FlowContext,
  keepsWritesOf,
  leavingsOfSequence,
  placeOf,
  type SlotChild,
  writerIn,
} from "./flow-context.ts";
import { constantOf, neverFails, reportNeverTaken, reportNeverTried } from "./unreachable.ts";
import {
  type Arrival,
  type Doubt,
  eitherOf,
  shortPlace,
  type Written,
  withDoubtful,
  withLater,
  withSure,
} from "./written.ts";

/** Children that stand in one relation to each other: those of a slot, or of all slots of a group. */
interface Unit {
  readonly order: "in-turn" | "one-of" | "beside";
  readonly children: readonly SlotChild[];
  /** Whether at least one child surely runs, and what it writes is kept as it is. */
  readonly isSure: boolean;
}

/** Follows the stages of one child. */
type Walk = (sequence: CompiledSequence, before: Written, context: FlowContext) => Arrival;

/** Follows the children of a stage, slot after slot. */
export function walkSlots(
  stage: CompiledStage,
  before: Written,
  context: FlowContext,
  walk: Walk,
): Arrival {
  let arrival: Arrival = { written: before };
  for (const unit of unitsOf(stage)) {
    const walked = walkUnit(stage, unit, arrival.written, context, walk);
    const ender = arrival.ender ?? walked.ender;
    arrival = ender === undefined ? walked : { ...walked, ender };
  }
  return arrival;
}

// A spec names the same few strategies over and over.
const knownGroups = new WeakMap<StrategyDefinition, readonly (readonly string[])[]>();

/** The slots of a strategy, those of one group together. */
function groupsOf(definition: StrategyDefinition): readonly (readonly string[])[] {
  const known = knownGroups.get(definition);
  if (known !== undefined) return known;
  const groups = new Map<string, string[]>();
  for (const [slot, { group = `.${slot}` }] of Object.entries(definition.slots))
    groups.set(group, [...(groups.get(group) ?? []), slot]);
  const found = [...groups.values()];
  knownGroups.set(definition, found);
  return found;
}

function unitsOf(stage: CompiledStage): readonly Unit[] {
  const given = childrenOf(stage);
  if (given.length === 0) return [];
  const { slots } = stage.definition;
  return groupsOf(stage.definition).flatMap((names) => {
    const children = given.filter(({ slot }) => names.includes(slot));
    const declaration = slots[names[0] ?? ""];
    if (declaration === undefined || children.length === 0) return [];
    const { group, order, runs, sampled } = declaration;
    const isComplete = names.every((name) => children.some(({ slot }) => slot === name));
    if (group !== undefined) return [{ order: "one-of", children, isSure: isComplete }];
    return [{ order, children, isSure: order === "one-of" || (runs === "always" && !sampled) }];
  });
}

function walkUnit(
  stage: CompiledStage,
  unit: Unit,
  before: Written,
  context: FlowContext,
  walk: Walk,
): Arrival {
  const enter = (child: SlotChild, from: Written): Arrival =>
    kept(stage, child, from, walk(child.sequence, entered(stage, child, from, context), context));
  const children = unit.order === "one-of" ? taken(stage, unit.children, context) : unit.children;
  const isSure = unit.isSure || children.length < unit.children.length;
  const doubtOf = (field: StateField): Doubt => doubtAbout(stage, unit, field, context);
  if (unit.order === "in-turn") {
    const arrival = children.reduce<Arrival>(({ written }, child) => enter(child, written), {
      written: before,
    });
    return isSure ? arrival : unsure(before, [arrival], doubtOf);
  }
  const arrivals = children.map((child) => enter(child, before));
  if (unit.order === "beside") {
    reportTwoWriters(stage, children, context);
    const all = arrivals.flatMap(({ written }) => [...written.must]);
    const may = unsure(before, arrivals, doubtOf).written;
    return { written: isSure ? withSure(may, all) : may };
  }
  if (children.length === 0) return { written: before };
  if (!isSure) return unsure(before, arrivals, doubtOf);
  const written = eitherOf(
    arrivals.map((arrival) => arrival.written),
    doubtOf,
  );
  const enders = arrivals.flatMap(({ ender }) => ender ?? []);
  const [ender] = enders.length === arrivals.length ? enders : [];
  return { written, ...(ender === undefined ? {} : { ender }) };
}

/** The alternatives that a run can take: a constant `if` leaves one of them, and nothing is tried after one that can't fail. */
function taken(
  stage: CompiledStage,
  children: readonly SlotChild[],
  context: FlowContext,
): readonly SlotChild[] {
  if (children.every(({ slot }) => stage.definition.slots[slot]?.form === "listed"))
    return tried(stage, children, context);
  const source = stage.options["if"];
  const condition = typeof source === "string" ? stage.expressions.get(source) : undefined;
  const value = condition === undefined ? undefined : constantOf(condition);
  if (value === undefined) return children;
  const never = children.filter(({ slot }) => slot === (value ? "else" : "then"));
  for (const child of never) reportNeverTaken(stage, child, value, context);
  return children.filter((child) => !never.includes(child));
}

function tried(
  stage: CompiledStage,
  children: readonly SlotChild[],
  context: FlowContext,
): readonly SlotChild[] {
  const last = children.findIndex(({ sequence }) => neverFails(sequence, context));
  if (last < 0 || last === children.length - 1) return children;
  reportNeverTried(stage, children.slice(last), context);
  return children.slice(0, last + 1);
}

// A slot may run again, so that its guards can see what it wrote in an earlier round.
function entered(
  { definition }: CompiledStage,
  { slot, sequence }: SlotChild,
  before: Written,
  context: FlowContext,
): Written {
  const provides = definition.slots[slot]?.provides ?? [];
  return withLater(withSure(before, provides), leavingsOfSequence(sequence, context));
}

/** What is left of a child's writes where the stage keeps the single values of items in a list of results. */
function kept(
  stage: CompiledStage,
  { slot }: SlotChild,
  before: Written,
  arrival: Arrival,
): Arrival {
  if (stage.definition.result !== "list") return arrival;
  const { must, may, loose } = arrival.written;
  const isKept = (field: StateField): boolean =>
    keepsWritesOf(stage, slot, field) || before.must.has(field) || before.may.has(field);
  return {
    ...arrival,
    written: {
      must: new Set([...must].filter(isKept)),
      may: new Map([...may].filter(([field]) => isKept(field))),
      loose: new Set([...loose].filter((field) => isKept(field) || before.loose.has(field))),
    },
  };
}

function unsure(
  before: Written,
  arrivals: readonly Arrival[],
  doubtOf: (field: StateField) => Doubt,
): Arrival {
  let written = before;
  for (const { written: inner } of arrivals) {
    const fields = [...inner.must, ...inner.may.keys()];
    written = withDoubtful(written, fields, (field) => inner.may.get(field) ?? doubtOf(field));
  }
  return { written };
}

function doubtAbout(
  stage: CompiledStage,
  { order }: Unit,
  field: StateField,
  context: FlowContext,
): Doubt {
  const place = `\`${stage.id}\` at ${shortPlace(placeOf(stage))}`;
  const because =
    order === "one-of" ? `runs only on some ways through ${place}` : `may not run inside ${place}`;
  const cure =
    order === "one-of"
      ? `let every way through \`${stage.id}\` write it`
      : `let a stage before \`${stage.id}\` write it`;
  return { writer: writerIn(stage, field, context), because, cure };
}
