import type { Json, JsonObject } from "@loopwright/core";
import { type ByteLine, byteLines, lineText } from "./byte-lines.ts";
import type { RowSource, SourceRow } from "./row-source.ts";

/** A file with one JSON object a line; empty lines count for nothing. */
export function jsonlSource(path: string): RowSource {
  return { form: "JSON Lines", isText: false, rows: () => jsonlRows(path) };
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
  return { row, values: value as JsonObject };
}
