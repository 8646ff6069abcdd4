import type { StateField } from "../../contracts/state.ts";
import type { CompiledStage } from "../../program/program.ts";
import type { Position } from "../../spec/text/position.ts";

/** Why a field may be missing although a stage before writes it. */
export interface Doubt {
  readonly writer: CompiledStage;
  /** Words after "its writer": `runs only under the guard at 6:21`. */
  readonly because: string;
  /** What would take the doubt away, as the end of a repair: `give this one the same guard`. */
  readonly cure: string;
  /** A guard over inputs alone: the field is there wherever the same guard holds. */
  readonly condition?: string;
  /** The stage around has told of it: it needs the same field. */
  readonly isTold?: true;
}

/** What is written before a place in the program. */
export interface Written {
  /** For sure. */
  readonly must: ReadonlySet<StateField>;
  /** Perhaps; holds no field of `must`. */
  readonly may: ReadonlyMap<StateField, Doubt>;
  /** As both, and what a later round around may have written. */
  readonly loose: ReadonlySet<StateField>;
}

/** What is written after a part of the program, and the stage that surely ended the run in it. */
export interface Arrival {
  readonly written: Written;
  readonly ender?: CompiledStage;
}

/** Nothing is written at the start of a run. */
export const NOTHING: Written = { must: new Set(), may: new Map(), loose: new Set() };

/** What is written after fields were written for sure. */
export function withSure(before: Written, fields: readonly StateField[]): Written {
  if (fields.every((field) => before.must.has(field))) return before;
  const must = added(before.must, fields);
  const isDoubtful = fields.some((field) => before.may.has(field));
  const may = isDoubtful
    ? new Map([...before.may].filter(([field]) => !must.has(field)))
    : before.may;
  return { must, may, loose: added(before.loose, fields) };
}

/** What is written after fields were perhaps written. */
export function withDoubtful(
  before: Written,
  fields: readonly StateField[],
  doubtOf: (field: StateField) => Doubt,
): Written {
  const { must } = before;
  if (fields.every((field) => must.has(field) || before.may.has(field))) return before;
  const may = new Map(before.may);
  for (const field of fields)
    if (!must.has(field) && !may.has(field)) may.set(field, doubtOf(field));
  return { must, may, loose: added(before.loose, [...may.keys()]) };
}

/** What is written inside a stage that told what may be missing of these fields. */
export function withTold(before: Written, fields: readonly StateField[]): Written {
  if (!fields.some((field) => before.may.has(field))) return before;
  const may = new Map<StateField, Doubt>(before.may);
  for (const field of fields) {
    const doubt = may.get(field);
    if (doubt !== undefined) may.set(field, { ...doubt, isTold: true });
  }
  return { ...before, may };
}

/** What is written after a stage that told what may be missing: the stages behind it tell it again. */
export function withUntold(after: Written, before: Written): Written {
  const told = [...before.may].filter(([field]) => after.may.get(field)?.isTold);
  return told.length === 0 ? after : { ...after, may: new Map([...after.may, ...told]) };
}

/** What a later round may have written, beside what is written before. */
export function withLater(before: Written, fields: readonly StateField[]): Written {
  const loose = added(before.loose, fields);
  return loose === before.loose ? before : { ...before, loose };
}

/** What is written after one of several ways, whichever is taken. */
export function eitherOf(ways: readonly Written[], doubtOf: (field: StateField) => Doubt): Written {
  const [first, ...others] = ways;
  if (first === undefined) return NOTHING;
  const must = new Set(
    [...first.must].filter((field) => others.every((way) => way.must.has(field))),
  );
  const may = new Map<StateField, Doubt>();
  for (const way of ways) {
    for (const [field, doubt] of way.may) if (!must.has(field)) may.set(field, doubt);
    for (const field of way.must)
      if (!must.has(field) && !may.has(field)) may.set(field, doubtOf(field));
  }
  return { must, may, loose: new Set(ways.flatMap((way) => [...way.loose])) };
}

/** A set with further fields; the same one where it holds them all, as at most stages. */
function added(
  known: ReadonlySet<StateField>,
  fields: readonly StateField[],
): ReadonlySet<StateField> {
  if (fields.every((field) => known.has(field))) return known;
  const all = new Set(known);
  for (const field of fields) all.add(field);
  return all;
}

/** A place as messages say it: `6:21`. */
export function shortPlace({ line, column }: Position): string {
  return `${line}:${column}`;
}
