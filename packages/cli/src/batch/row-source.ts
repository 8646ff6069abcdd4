import type { JsonObject } from "@loopwright/core";

/** One row with its values; or why it has none, with what could be read of it. */
export type SourceRow =
  | { readonly row: number; readonly values: JsonObject }
  | { readonly row: number; readonly fault: string; readonly text: string };

/** A file of rows. */
export interface RowSource {
  /** What it is, for a person. */
  readonly form: string;
  /** The columns of every row; undefined where each row brings its own. */
  readonly columns?: readonly string[];
  /** Whether every value is text that still has to be read by its declared type. */
  readonly isText: boolean;
  /**
   * The rows in their order, counted from 1; may be read several times. Contract: a broken row is told as one, nothing
   * throws for it. `wanted` names the columns that are looked at; a source may leave out the others.
   */
  rows(wanted?: readonly string[]): AsyncIterable<SourceRow>;
}

/** What a first pass over a source found. */
export interface SourceSurvey {
  readonly count: number;
  /** How many rows can't be read. */
  readonly badCount: number;
  /** Every column that some row has, in the order of their first appearance. */
  readonly columns: readonly string[];
}

/** Reads a source once, up to a number of rows, with the columns that are wanted of it. */
export async function surveySource(
  source: RowSource,
  maxRows: number,
  wanted?: readonly string[],
): Promise<SourceSurvey> {
  const columns = new Set(source.columns);
  let count = 0;
  let badCount = 0;
  for await (const row of source.rows(wanted)) {
    if (count === maxRows) break;
    count += 1;
    if ("fault" in row) badCount += 1;
    else if (source.columns === undefined)
      for (const name of Object.keys(row.values)) columns.add(name);
  }
  return { count, badCount, columns: [...columns] };
}
