import type { StateField } from "../../contracts/state.ts";
import type { CompiledStage } from "../../program/program.ts";
import type { Position } from "../../spec/text/position.ts";

/** Why a field may be missing although a stage before writes it. */
export interface Doubt {
  readonly writer: CompiledStage;
  /** Words after "its writer": `runs only under the guard at 6:21`. */
  readonly because: string;
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
export function withSure(before: Written, fields: Iterable<StateField>): Written {
  const missing = [...fields].filter((field) => !before.must.has(field));
  if (missing.length === 0) return before;
  const must = new Set([...before.must, ...missing]);
  const may = new Map([...before.may].filter(([field]) => !must.has(field)));
  return { must, may, loose: new Set([...before.loose, ...must]) };
}

/** What is written after fields were perhaps written. */
export function withDoubtful(
  before: Written,
  fields: Iterable<StateField>,
  doubtOf: (field: StateField) => Doubt,
): Written {
  const missing = [...fields].filter((field) => !before.must.has(field) && !before.may.has(field));
  if (missing.length === 0) return before;
  const may = new Map([...before.may, ...missing.map((field) => [field, doubtOf(field)] as const)]);
  return { ...before, may, loose: new Set([...before.loose, ...missing]) };
}

/** What is written inside a stage that told what may be missing of these fields. */
export function withTold(before: Written, fields: readonly StateField[]): Written {
  const may = new Map<StateField, Doubt>(before.may);
  for (const field of fields) {
    const doubt = may.get(field);
    if (doubt !== undefined) may.set(field, { ...doubt, isTold: true });
  }
  return { ...before, may };
}

/** What is written after a stage that told what may be missing: the stages behind it tell it again. */
export function withUntold(after: Written, before: Written): Written {
  const may = new Map<StateField, Doubt>(after.may);
  for (const [field, doubt] of before.may) if (may.get(field)?.isTold) may.set(field, doubt);
  return { ...after, may };
}

/** What a later round may have written, beside what is written before. */
export function withLater(before: Written, fields: Iterable<StateField>): Written {
  const missing = [...fields].filter((field) => !before.loose.has(field));
  if (missing.length === 0) return before;
  return { ...before, loose: new Set([...before.loose, ...missing]) };
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

/** A place as messages say it: `6:21`. */
export function shortPlace({ line, column }: Position): string {
  return `${line}:${column}`;
}
