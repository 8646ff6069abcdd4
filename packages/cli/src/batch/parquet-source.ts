import type { Json, JsonObject } from "@loopwright/core";
import { statSync } from "node:fs";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { CommandError } from "../command-error.ts";
import type { RowSource, SourceRow } from "./row-source.ts";

/** Rows that are decoded at one time; each chunk of a row group costs its decoding anew. */
const CHUNK_ROWS = 100_000;

/** Opens a Parquet file; its rows are read in chunks. */
export async function openParquet(path: string): Promise<RowSource> {
  if (statSync(path).size === 0)
    throw new CommandError(`${path} is empty; a Parquet file holds at least its columns`);
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const [root] = metadata.schema;
    const columns = topLevelNames(metadata.schema.slice(1), root?.num_children ?? 0);
    const ranges = chunksOf(metadata.row_groups.map((group) => Number(group.num_rows)));
    async function* rows(wanted = columns): AsyncGenerator<SourceRow> {
      const read = columns.filter((name) => wanted.includes(name));
      for (const range of ranges)
        yield* readRows(
          {
            file,
            metadata,
            compressors,
            utf8: false,
            parsers: PARSERS,
            columns: read,
            ...range,
          },
          range,
        );
    }
    return { form: "Parquet", columns, isText: false, rows };
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault);
    throw new CommandError(`${path} can't be read as Parquet: ${why}`);
  }
}

interface RowRange {
  readonly rowStart: number;
  readonly rowEnd: number;
}

/** No chunk reaches into two row groups. */
function chunksOf(groups: readonly number[]): readonly RowRange[] {
  const ranges: RowRange[] = [];
  let at = 0;
  for (const count of groups) {
    const end = at + count;
    for (; at < end; at = Math.min(end, at + CHUNK_ROWS))
      ranges.push({ rowStart: at, rowEnd: Math.min(end, at + CHUNK_ROWS) });
  }
  return ranges;
}

/** A day stays one; what has a time becomes ISO 8601 with it. */
const PARSERS = {
  dateFromDays: (days: number): string =>
    new Date(days * 86_400_000).toISOString().slice(0, "2026-01-01".length),
};

async function* readRows(
  options: Parameters<typeof parquetReadObjects>[0],
  { rowStart, rowEnd }: RowRange,
): AsyncGenerator<SourceRow> {
  let read: readonly Readonly<Record<string, unknown>>[];
  if (options.columns?.length === 0) {
    for (let row = rowStart + 1; row <= rowEnd; row++) yield { row, values: {} };
    return;
  }
  try {
    read = await parquetReadObjects(options);
  } catch (thrown) {
    const fault = `it can't be decoded: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    for (let row = rowStart + 1; row <= rowEnd; row++) yield { row, fault, text: "" };
    return;
  }
  for (const [index, values] of read.entries()) yield toRow(rowStart + index + 1, values);
}

interface SchemaElement {
  readonly name: string;
  readonly num_children?: number;
}

/** The schema is a tree written in one list, each element before its children. */
function topLevelNames(elements: readonly SchemaElement[], count: number): readonly string[] {
  const names: string[] = [];
  let at = 0;
  const skip = (): void => {
    const children = elements[at]?.num_children ?? 0;
    at += 1;
    for (let child = 0; child < children; child++) skip();
  };
  for (let index = 0; index < count; index++) {
    names.push(elements[at]?.name ?? "");
    skip();
  }
  return names;
}

function toRow(row: number, values: Readonly<Record<string, unknown>>): SourceRow {
  const read: Record<string, Json> = {};
  for (const [name, value] of Object.entries(values)) {
    const json = toJson(value);
    if (json === undefined) {
      const { what, text } = unreadable(value);
      const cure = "leave the column out of the file, or name those to be kept with --keep";
      return { row, fault: `the column \`${name}\` holds ${what}; ${cure}`, text };
    }
    read[name] = json;
  }
  return { row, values: read };
}

/** What JSON can't say of a value, in words, and as much of it as can be shown. */
function unreadable(value: unknown): { readonly what: string; readonly text: string } {
  if (typeof value === "bigint")
    return { what: `${value}, beyond what a number holds exactly`, text: String(value) };
  if (typeof value === "number")
    return { what: `${value}, which is no number in JSON`, text: String(value) };
  if (value instanceof Date) return { what: "a time that is none", text: "" };
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value))
    return { what: "binary data", text: "" };
  const inner = Object.values(value).find((one) => toJson(one) === undefined) as unknown;
  return unreadable(inner);
}

/** A value as JSON; undefined where it would lose something. */
function toJson(value: unknown): Json | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint")
    return Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (ArrayBuffer.isView(value)) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(toJson);
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  const entries = Object.entries(value).map(([name, one]) => [name, toJson(one)] as const);
  return entries.some(([, one]) => one === undefined)
    ? undefined
    : (Object.fromEntries(entries) as JsonObject);
}
