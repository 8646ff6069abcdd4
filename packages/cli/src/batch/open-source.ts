import { statSync } from "node:fs";
import { extname } from "node:path";
import { CommandError, usageError } from "../command-error.ts";
import { requireFile } from "../read-file.ts";
import type { RowSource } from "./row-source.ts";

const JSONL = [".jsonl", ".ndjson"];
const KNOWN = [".csv", ".tsv", ...JSONL, ".parquet"];

/** Opens a file of rows by its extension; readers are loaded on demand. */
export async function openSource(given: string, delimiter?: string): Promise<RowSource> {
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new CommandError(`--from ${given} is a folder; name a file of rows`);
  const extension = extname(given).toLowerCase();
  const isCsv = extension === ".csv" || extension === ".tsv";
  if (!KNOWN.includes(extension)) {
    const what = extension === "" ? "has no extension" : `has the extension ${extension}`;
    throw usageError(`--from ${given} ${what}; rows are read from ${KNOWN.join(", ")}`);
  }
  if (delimiter !== undefined && !isCsv) throw usageError("--delimiter goes with a .csv file");
  const path = requireFile(given, "--from ");
  if (JSONL.includes(extension)) return (await import("./jsonl-source.ts")).openJsonl(path);
  if (extension === ".parquet") return (await import("./parquet-source.ts")).openParquet(path);
  const { openCsv } = await import("./csv-source.ts");
  return openCsv(path, delimiterOf(delimiter) ?? (extension === ".tsv" ? "\t" : undefined));
}

function delimiterOf(given: string | undefined): string | undefined {
  if (given === "tab" || given === String.raw`\t`) return "\t";
  if (given !== undefined && !/^[^"\r\n]$/u.test(given))
    throw usageError(`--delimiter ${given} must be one character, or \`tab\``);
  return given;
}
