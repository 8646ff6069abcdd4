import type { Json, JsonObject, Program } from "@loopwright/core";
import type { ColumnPlan } from "./column-plan.ts";
import type { SourceRow } from "./row-source.ts";
import type { RowInput } from "./run-row.ts";
import { typeRow } from "./type-row.ts";

/** A row as the input of a run; or why it is none, with what is known of it. */
export type RowItem =
  | { readonly ok: true; readonly item: RowInput }
  | {
      readonly ok: false;
      readonly message: string;
      readonly item: Pick<RowInput, "input" | "origin">;
    };

/** How rows become items. */
export interface ItemSetting {
  readonly program: Pick<Program, "inputs" | "task">;
  readonly plan: ColumnPlan;
  readonly isText: boolean;
  /** How letters name the files. */
  readonly origin: JsonObject;
}

/** The start of a row that can't be read, for whoever looks for it. */
const SHOWN_CHARACTERS = 2000;

/** Makes the input of a run of a row. */
export function rowItem(source: SourceRow, setting: ItemSetting): RowItem {
  const { program, plan, isText } = setting;
  const { row } = source;
  const from = { ...setting.origin, row };
  if ("fault" in source) {
    const text = source.text.slice(0, SHOWN_CHARACTERS);
    const item = { input: { inputs: {} }, origin: { ...from, text } };
    return { ok: false, message: source.fault, item };
  }
  const { values } = source;
  const columns = pick(values, plan.kept);
  // A letter keeps them: a later run gives them back beside its value.
  const origin = Object.keys(columns).length === 0 ? from : { ...from, columns };
  const task = plan.task?.(values);
  const given = task === undefined ? {} : { task };
  if (task?.trim() === "" && program.task.text.parts.length === 0) {
    const input = { ...given, inputs: said(pick(values, plan.inputs)) };
    return {
      ok: false,
      message: `${plan.taskFrom ?? "the row"} is empty`,
      item: { input, origin },
    };
  }
  const typed = typeRow(program.inputs.fields, values, isText);
  if (!typed.ok) {
    const input = { ...given, inputs: said(pick(values, plan.inputs)) };
    return { ok: false, message: typed.message, item: { input, origin } };
  }
  const input = { ...given, inputs: typed.inputs };
  return { ok: true, item: { row, input, columns, origin } };
}

function pick(values: JsonObject, names: readonly string[]): JsonObject {
  const entries = names.map((name) => [name, values[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Without what counts as missing. */
function said(values: JsonObject): JsonObject {
  const isSaid = (value: Json | undefined): boolean => value !== "" && value !== null;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isSaid(value)));
}
