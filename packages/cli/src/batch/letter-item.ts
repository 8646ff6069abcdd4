import { extname } from "node:path";
import type { CompiledProgram, DeadLetter, Json, JsonObject } from "@loopwright/core";
import type { RowInput } from "./run-row.ts";
import { typeRow } from "./type-row.ts";

const TEXT_FILES: ReadonlySet<string> = new Set([".csv", ".tsv"]);

/** The input of a letter, read as a batch reads rows; or why it is none. */
export function letterItem(letter: DeadLetter, { program }: CompiledProgram): RowInput | string {
  const { input, origin = {} } = letter;
  const { row, from, text } = origin;
  const columns = asObject(origin["columns"]);
  if (typeof row !== "number") return { row: 0, input, columns, origin };
  if (typeof text === "string") return letter.message;
  const isText = typeof from === "string" && TEXT_FILES.has(extname(from).toLowerCase());
  // A spec that changed may want what the row has as another column.
  const typed = typeRow(program.inputs.fields, { ...columns, ...input.inputs }, isText);
  if (!typed.ok) return typed.message;
  const saysTask = program.task.text.parts.length > 0 || (input.task ?? "").trim() !== "";
  if (!saysTask) return "the row has no task";
  return { row, input: { ...input, inputs: typed.inputs }, columns, origin };
}

function asObject(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

/** What the row of a letter lacks, and what to do. */
export function unreadableText({ origin = {} }: DeadLetter, message: string): string {
  const { row, from } = origin;
  if (typeof row !== "number") return message;
  const file = typeof from === "string" ? from : "the file";
  return `${message}; mend ${file}, then \`loopwright batch … --retry-failed\``;
}
