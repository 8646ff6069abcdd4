import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { CsvError, parse } from "csv-parse";
import { CommandError } from "../command-error.ts";
import { counted } from "../diagnostic-text.ts";
import { MAX_LINE_BYTES } from "./byte-lines.ts";
import type { RowSource, SourceRow } from "./row-source.ts";

const DELIMITERS = [",", ";", "\t", "|"] as const;
const HEAD_BYTES = 65_536;
/** What stands for bytes that are not UTF-8. */
const UNREADABLE = "\uFFFD";

/** Opens a CSV file: the first line names the columns, and tells the delimiter where none is given. */
export async function openCsv(path: string, given?: string): Promise<RowSource> {
  const head = await headOf(path);
  const delimiter = given ?? sniffDelimiter(head);
  const header = await firstOf(records(path, delimiter));
  if (header === undefined)
    throw new CommandError(`${path} is empty; its first line must name the columns`);
  if ("fault" in header) throw new CommandError(`${path} has no header: ${header.fault}`);
  const columns = header.map((name) => name.trim());
  refuseHeader(path, columns);
  return {
    form: `CSV with ${delimiterName(delimiter)}`,
    columns: columns.filter((name) => name !== ""),
    isText: true,
    rows: () => csvRows(path, delimiter, columns),
  };
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item;
  return undefined;
}

function refuseHeader(path: string, columns: readonly string[]): void {
  if (columns.some((name) => name.includes(UNREADABLE)))
    throw new CommandError(`${path} is not UTF-8; save it as UTF-8`);
  const twice = columns.find((name, index) => name !== "" && columns.indexOf(name) !== index);
  if (twice !== undefined)
    throw new CommandError(`${path} names the column \`${twice}\` twice; rename one of them`);
}

async function headOf(path: string): Promise<string> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const mark = buffer.readUInt16BE(0);
    if (bytesRead > 1 && (mark === 0xfffe || mark === 0xfeff))
      throw new CommandError(`${path} is UTF-16; save it as UTF-8`);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The delimiter that stands most often in the header, outside quotes. */
function sniffDelimiter(head: string): string {
  const [line = ""] = head
    .replaceAll(/"(?:[^"]|"")*"/gu, "")
    .trimStart()
    .split(/[\r\n]/u);
  const found = DELIMITERS.map((mark) => ({ mark, count: line.split(mark).length }));
  const [best] = found.toSorted((a, b) => b.count - a.count);
  return best?.mark ?? ",";
}

function delimiterName(delimiter: string): string {
  return delimiter === "\t" ? "tabs" : `\`${delimiter}\``;
}

/** A record, or why no more can be read. */
type CsvRecord = readonly string[] | { readonly fault: string };

async function* records(path: string, delimiter: string): AsyncGenerator<CsvRecord> {
  const input = createReadStream(path);
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
  });
  input.on("error", (fault) => parser.destroy(fault));
  input.pipe(parser);
  try {
    for await (const record of parser as AsyncIterable<readonly string[]>) yield record;
  } catch (fault) {
    if (!(fault instanceof CsvError)) throw fault;
    const { lines } = fault as { readonly lines?: unknown };
    yield { fault: faultText(fault.code, lines) };
  } finally {
    input.destroy();
    parser.destroy();
  }
}

function faultText(code: string, line: unknown): string {
  const at = typeof line === "number" ? `, which the reader met in line ${line}` : "";
  if (code === "CSV_QUOTE_NOT_CLOSED")
    return `a quote is never closed${at}; nothing after it can be read`;
  if (code === "CSV_MAX_RECORD_SIZE")
    return `a row is longer than 16 MB${at}, as when a quote is never closed; nothing after it can be read`;
  return `the file can't be read as CSV (${code})${at}`;
}

async function* csvRows(
  path: string,
  delimiter: string,
  columns: readonly string[],
): AsyncGenerator<SourceRow> {
  let row = -1;
  for await (const record of records(path, delimiter)) {
    row += 1;
    if (row === 0 && Array.isArray(record)) continue;
    yield toRow(row, record, columns, delimiter);
  }
}

function toRow(
  row: number,
  record: CsvRecord,
  columns: readonly string[],
  delimiter: string,
): SourceRow {
  if ("fault" in record) return { row, fault: record.fault, text: "" };
  const text = record.join(delimiter);
  if (record.length !== columns.length) {
    const fault = `it has ${counted(record.length, "cell")}, and the header names ${counted(columns.length, "column")}`;
    return { row, fault, text };
  }
  if (text.includes(UNREADABLE)) return { row, fault: "it holds bytes that are not UTF-8", text };
  const entries = columns.map((name, index) => [name, record[index] ?? ""] as const);
  return { row, values: Object.fromEntries(entries.filter(([name]) => name !== "")) };
}
