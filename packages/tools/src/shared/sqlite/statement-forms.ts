import { type Json, type TSchema, Type } from "@loopwright/core/plugin";
import type { Answer } from "./ask-database.ts";
import type { Parameters } from "./check-parameters.ts";

const value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

/** The argument that binds values. */
export const paramsInput: TSchema & { readonly static: Parameters } = Type.Unsafe<Parameters>(
  Type.Union([Type.Array(value), Type.Record(Type.String(), value)], {
    description:
      "Values for ? in the order of the SQL, as a list; or for :name, as an object without the colon.",
  }),
);

/** The rows of an answer as a model reads them. */
export function shownRows({ columns, rows, left, wide }: Answer): {
  columns: string[];
  rows: Json[][];
  note?: string;
} {
  const shown = { columns: [...columns], rows: rows.map((row) => [...row]) };
  if (left === 0) return shown;
  if (wide > 0) return { ...shown, note: `Not shown: ${tooWide(wide)}` };
  return { ...shown, note: `There are more rows than these ${rows.length}.` };
}

/** Why the first row is not shown, and what to do. */
export function tooWide(characters: number): string {
  return `one row has ${characters} characters as JSON, more than may come back; select fewer columns, or parts by substr().`;
}
