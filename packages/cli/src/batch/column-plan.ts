import type { Json, JsonObject, Program } from "@loopwright/core";
import { CommandError, usageError } from "../command-error.ts";
import { nearestName } from "../nearest-name.ts";
import { neutralizeName } from "../neutralize.ts";

/** Which column goes where. */
export interface ColumnPlan {
  /** The declared inputs that have a column. */
  readonly inputs: readonly string[];
  /** The declared inputs without one: their default, or null, holds for every row. */
  readonly absent: readonly string[];
  /** The task of a row; undefined where the spec's own is all. */
  readonly task?: (values: JsonObject) => string;
  /** Where the task comes from, for a person. */
  readonly taskFrom?: string;
  /** Columns that no run gets, and that come back beside its value. */
  readonly kept: readonly string[];
  /** Columns that no run gets and nothing keeps. */
  readonly ignored: readonly string[];
  /** Every column that is looked at: of inputs, of the task, and those kept. */
  readonly read: readonly string[];
}

/** What the command line says about columns. */
export interface ColumnOptions {
  /** The task as text with `{{ column }}`. */
  readonly task?: string;
  /** The only columns that come back beside the inputs; all where none is named. */
  readonly keep: readonly string[];
}

const TASK = "task";

/** Maps the columns of a source to a spec; throws one error for all that is missing. */
export function planColumns(
  program: Pick<Program, "inputs" | "name" | "task">,
  columns: readonly string[],
  options: ColumnOptions,
): ColumnPlan {
  const { fields } = program.inputs;
  const isTaken = (name: string): boolean => columns.includes(name);
  refuseMissing(program, columns);
  const unknown = options.keep.filter((name) => !isTaken(name));
  if (unknown.length > 0) throw usageError(`--keep: ${noColumn(unknown, columns)}`);
  const task = planTask(program, columns, options.task);
  const used = new Set([...Object.keys(fields), ...(task.used ?? [])]);
  const others = columns.filter((name) => !used.has(name));
  const isKept = (name: string): boolean =>
    options.keep.length === 0 || options.keep.includes(name);
  const kept = others.filter(isKept);
  return {
    read: [...columns.filter((name) => used.has(name)), ...kept],
    inputs: Object.keys(fields).filter(isTaken),
    absent: Object.keys(fields).filter((name) => !isTaken(name)),
    ...task.plan,
    kept,
    ignored: others.filter((name) => !isKept(name)),
  };
}

function refuseMissing(
  { inputs: { fields }, name }: Pick<Program, "inputs" | "name">,
  columns: readonly string[],
): void {
  const missing = Object.entries(fields).flatMap(([field, { default: given, optional }]) =>
    columns.includes(field) || given !== undefined || optional ? [] : [field],
  );
  if (missing.length === 0) return;
  const what = missing.length === 1 ? "an input that has no column" : "inputs that have no column";
  throw new CommandError(`\`${name}\` takes ${what}: ${noColumn(missing, columns)}`);
}

function noColumn(names: readonly string[], columns: readonly string[]): string {
  const said = names.map((name) => {
    const near = nearestName(name, columns);
    return near === undefined
      ? `\`${neutralizeName(name)}\``
      : `\`${neutralizeName(name)}\` (did you mean the column \`${neutralizeName(near)}\`?)`;
  });
  const there = columns.map((name) => neutralizeName(name)).join(", ");
  return `${said.join(", ")}; the file has ${there === "" ? "no columns" : there}`;
}

interface PlannedTask {
  readonly plan: Pick<ColumnPlan, "task" | "taskFrom">;
  readonly used?: readonly string[];
}

function planTask(
  program: Pick<Program, "inputs" | "name" | "task">,
  columns: readonly string[],
  template: string | undefined,
): PlannedTask {
  if (template !== undefined) {
    const used = [...template.matchAll(PLACE)].map(([, name = ""]) => name);
    const unknown = used.filter((name) => !columns.includes(name));
    if (unknown.length > 0) throw usageError(`--task: ${noColumn(unknown, columns)}`);
    const task = (values: JsonObject): string =>
      template.replaceAll(PLACE, (_place, name: string) => textOf(values[name]));
    return { plan: { task, taskFrom: "--task" }, used };
  }
  if (program.task.text.parts.length > 0) return { plan: {} };
  const isInput = Object.hasOwn(program.inputs.fields, TASK);
  if (isInput || !columns.includes(TASK)) {
    const cure = "add a column `task`, give --task TEXT, or write `task:` in the spec";
    throw new CommandError(`\`${program.name}\` says no task, and no column does; ${cure}`);
  }
  const task = (values: JsonObject): string => textOf(values[TASK]);
  return { plan: { task, taskFrom: "the column `task`" }, used: [TASK] };
}

const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/gu;

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The plan as lines for a person. */
export function planText(plan: ColumnPlan): string {
  const list = (names: readonly string[]): string =>
    names.map((name) => neutralizeName(name)).join(", ");
  const lines = [
    plan.inputs.length === 0 ? [] : [`inputs from columns: ${list(plan.inputs)}`],
    plan.absent.length === 0
      ? []
      : [`inputs without a column: ${list(plan.absent)} (default or null)`],
    plan.taskFrom === undefined ? [] : [`task from ${plan.taskFrom}`],
    plan.kept.length === 0 ? [] : [`no inputs, but kept beside each value: ${list(plan.kept)}`],
    plan.ignored.length === 0 ? [] : [`columns left out: ${list(plan.ignored)}`],
  ];
  return lines
    .flat()
    .map((line) => `  ${line}\n`)
    .join("");
}
