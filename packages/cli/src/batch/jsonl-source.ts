import { basename } from "node:path";
import type { Json, JsonObject } from "@loopwright/core";
import { CommandError } from "../command-error.ts";
import { shellWord } from "../shell-word.ts";
import { type ByteLine, byteLines, lineText } from "./byte-lines.ts";
import type { RowSource, SourceRow } from "./row-source.ts";

/** Opens a file with one JSON object a line; empty lines count for nothing. */
export async function openJsonl(path: string): Promise<RowSource> {
  await refuseArray(path);
  return { form: "JSON Lines", isText: false, rows: () => jsonlRows(path) };
}

/** Tells a JSON array in a whole file, on one line or on many, from a line that is one by mistake. */
async function refuseArray(path: string): Promise<void> {
  let first: string | undefined;
  for await (const { bytes } of byteLines(path)) {
    const text = lineText(bytes)?.trim() ?? "";
    if (text === "") continue;
    if (first === undefined && !text.startsWith("[")) return;
    if (first !== undefined && isJson(first)) return;
    if (first !== undefined) break;
    first = text;
  }
  if (first === undefined) return;
  const name = shellWord(basename(path));
  throw new CommandError(
    `${path} is one JSON array, and rows are one JSON object a line; \`jq -c ".[]" ${name} > rows.jsonl\` converts it`,
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function* jsonlRows(path: string): AsyncGenerator<SourceRow> {
  let row = 0;
  for await (const line of byteLines(path)) {
    const text = lineText(line.bytes);
    if (text?.trim() === "") continue;
    row += 1;
    yield readLine(row, line, text);
  }
}

function readLine(row: number, { number, bytes, isTooLong }: ByteLine, text?: string): SourceRow {
  const bad = (what: string): SourceRow => ({
    row,
    fault: `line ${number} ${what}`,
    text: text ?? bytes.toString("utf8"),
  });
  if (isTooLong) return bad("is longer than 16 MB");
  if (text === undefined) return bad("is not UTF-8");
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (fault) {
    return bad(`is no JSON: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return bad("is no object; write one object with an entry for each column");
  const twice = doubledKey(text);
  if (twice !== undefined) return bad(`has the key ${JSON.stringify(twice)} twice; leave one`);
  return { row, values: value as JsonObject };
}

/** A key that stands twice in one object of a JSON text; the text is known to be whole. */
function doubledKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === "{") open.push(new Set());
    else if (mark === "}") open.pop();
    else if (mark === '"') {
      const end = stringEnd(text, at);
      let next = end;
      while (/\s/u.test(text[next] ?? "")) next += 1;
      const isKey = text[next] === ":";
      const key = isKey ? (JSON.parse(text.slice(at, end)) as string) : undefined;
      const keys = open.at(-1);
      if (key !== undefined && keys?.has(key) === true) return key;
      if (key !== undefined) keys?.add(key);
      at = end - 1;
    }
  }
  return undefined;
}

/** Behind the closing quote of a string. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}
