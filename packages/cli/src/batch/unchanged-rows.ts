import { createHash } from "node:crypto";
import type { CompiledProgram, Json, JsonObject } from "@loopwright/core";
import { CommandError } from "../command-error.ts";
import type { BatchRecord } from "./batch-record.ts";
import { readOutput } from "./output-file.ts";
import { type ItemSetting, rowItem } from "./row-item.ts";
import type { RowSource } from "./row-source.ts";

/** An output and the rows that it is compared with. */
export interface RowComparison {
  readonly to: string;
  readonly toPath: string;
  readonly from: string;
  readonly source: RowSource;
  readonly compiled: Pick<CompiledProgram, "program" | "redactor">;
  readonly items: ItemSetting;
}

/** Throws where a row that has a value is another than the one that the value was made of. */
export async function requireSameRows(comparison: RowComparison): Promise<void> {
  const { toPath, from, source, items } = comparison;
  const made = new Map<number, string>();
  await readOutput(toPath, (record) => made.set(record.row, printOf(record)));
  for await (const row of source.rows(items.plan.read)) {
    if (made.size === 0) return;
    const print = made.get(row.row);
    if (print === undefined) continue;
    if (print !== printNow(row, comparison))
      throw changed(comparison, `row ${row.row} of ${from} is not what its value was made of`);
    made.delete(row.row);
  }
  const [gone] = made.keys();
  if (gone !== undefined)
    throw changed(comparison, `row ${gone} has a value, and ${from} has no such row`);
}

function changed({ to }: RowComparison, what: string): CommandError {
  return new CommandError(
    `the rows' file changed, and ${what}; name another --to, give --restart to begin again, or --anyway to keep the values of ${to} and run only the rows without one`,
    { code: "batch-changed", details: { changes: [what] } },
  );
}

/** The recorded input has its defaults, and secrets are struck out of it. */
function printNow(
  row: Parameters<typeof rowItem>[0],
  { compiled, items }: RowComparison,
): string | undefined {
  const read = rowItem(row, items);
  if (!read.ok) return undefined;
  const { input, columns } = read.item;
  const given = input.inputs ?? {};
  const inputs = Object.entries(compiled.program.inputs.fields).map(
    ([name, field]) => [name, given[name] ?? field.default ?? null] as const,
  );
  const said = { input: Object.fromEntries(inputs), task: input.task ?? null, columns };
  const {
    input: clean,
    task,
    columns: others,
  } = compiled.redactor.data(said) as {
    readonly input: JsonObject;
    readonly task: string | null;
    readonly columns: JsonObject;
  };
  return printOf({
    input: clean,
    ...(task === null ? {} : { task }),
    ...(Object.keys(others).length === 0 ? {} : { columns: others }),
  });
}

function printOf({
  input,
  task = "",
  columns = {},
}: Pick<BatchRecord, "input" | "task" | "columns">): string {
  const text = JSON.stringify([sorted(input), task, sorted(columns)]);
  return createHash("sha256").update(text).digest("base64");
}

function sorted(values: JsonObject): readonly (readonly [string, Json | undefined])[] {
  return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
