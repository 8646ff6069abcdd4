import type { DeadLetter, Json, RejectedReply } from "@loopwright/core";
import { inFigures } from "@loopwright/core";
import { neutralize } from "../neutralize.ts";
import { tableText } from "../table-text.ts";
import { moneyText } from "./amount-text.ts";
import { SHORT_ID } from "./letter-file.ts";

const INPUT_CHARACTERS = 60;

/** Dead letters as a table, one line each. */
export function lettersTable(letters: readonly DeadLetter[]): string {
  const head = ["ID", "ROW", "TIME", "CODE", "ATTEMPTS", "INPUT"];
  const lines = letters.map((letter) => [
    letter.id.slice(0, SHORT_ID),
    rowText(letter),
    timeText(letter),
    letter.code,
    String(letter.attempts.length),
    clipped(inputText(letter)),
  ]);
  return tableText([head, ...lines]);
}

/** The row of a batch that a letter is of; empty for another. */
export function rowText({ origin }: DeadLetter): string {
  const { row, from } = (origin ?? {}) as { readonly row?: Json; readonly from?: Json };
  if (typeof row !== "number") return "";
  return typeof from === "string" ? `${from}:${row}` : String(row);
}

function timeText({ time }: DeadLetter): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? ""
    : date.toISOString().slice(0, "2026-01-01T00:00".length).replace("T", " ");
}

function inputText({ input, origin }: DeadLetter): string {
  const { task, inputs } = input;
  const text = origin?.["text"];
  const values = Object.values(inputs).map((value) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
  const said = [...(task === undefined ? [] : [task]), ...values].join(" · ");
  return said === "" && typeof text === "string" ? text : said;
}

function clipped(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  if (line.length <= INPUT_CHARACTERS) return line;
  // Half a pair at the end is no character.
  return `${line.slice(0, INPUT_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

/** Everything of a letter, for a person. */
export function letterText(letter: DeadLetter): string {
  const { usage, attempts, origin = {}, input } = letter;
  const { row: _row, from: _from, to, ...others } = origin;
  const sent = usage.input + usage.cacheRead + usage.cacheWrite;
  const facts: readonly (readonly [string, string])[] = [
    ["id", letter.id],
    ["row", rowText(letter)],
    ["output", typeof to === "string" ? to : ""],
    ["time", timeText(letter)],
    ["spec", `${letter.spec} (${letter.file}, program ${letter.programHash.slice(0, 12)})`],
    ["ended", `${letter.outcome}, ${letter.code}`],
    ["why", letter.message],
    ["schema", letter.schemaHash.slice(0, 12)],
    [
      "usage",
      `${inFigures(sent)} tokens in, ${inFigures(usage.output)} out, ${moneyText(letter.usd)}`,
    ],
  ];
  const parts = [
    facts.map(([name, value]) => (value === "" ? "" : `${name.padEnd(8)}${value}\n`)).join(""),
    input.task === undefined ? "" : block("task", input.task),
    ...Object.entries(input.inputs).map(([name, value]) => block(`input ${name}`, shown(value))),
    ...Object.entries(others).map(([name, value]) => block(`row's ${name}`, shown(value))),
    ...attempts.map(attemptText),
  ];
  return neutralize(parts.filter((part) => part !== "").join("\n"));
}

function attemptText(attempt: RejectedReply, index: number): string {
  const { stage, model, finishReason, code, message, text, reasoning = "" } = attempt;
  const head = `attempt ${index + 1}: ${code} (${stage}, ${model}, ${finishReason})`;
  const thought = reasoning === "" ? "(nothing)" : `(nothing but reasoning)\n${reasoning}`;
  return `${block(head, text === "" ? thought : text)}  → ${message}\n`;
}

function block(head: string, text: string): string {
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}\n`);
  return `${head}\n${lines.join("")}`;
}

function shown(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
