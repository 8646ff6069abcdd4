import { posix } from "node:path";
import type { Json } from "../../contracts/json.ts";
import { parseCsv } from "./csv.ts";
import type { Diagnostics } from "./diagnostic.ts";
import { missingFileRepair } from "./missing-file.ts";
import type { IncludeBudget } from "./include-budget.ts";
import { parseYaml } from "./parse-yaml.ts";
import { readSource, type SourceProblem, type SourceText } from "./read-source.ts";
import { maxDepth, type ScalarNode, type SpecNode } from "./spec-node.ts";

/** What a file holds: text, plain data, or YAML with its own places. */
export type FileValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "data"; readonly value: Json }
  | { readonly kind: "node"; readonly node: SpecNode };

interface FileOptions {
  readonly root: string;
  readonly diagnostics: Diagnostics;
  readonly budget: IncludeBudget;
}

const binary = /^\.(xlsx?|ods|docx?|odt|pptx?|pdf|parquet|sqlite|zip|gz|png|jpe?g|gif|webp)$/;
const maxDataBytes = 8 * 1024 * 1024;

/** Reads the file that a scalar names, relative to the file that says it; `.yaml`, `.json`, `.jsonl` and `.csv` are data unless `asText`. Undefined when it fails, which is reported. */
export function loadFileValue(
  path: string,
  at: ScalarNode,
  options: FileOptions,
  { asText = false }: { asText?: boolean } = {},
): FileValue | undefined {
  const extension = posix.extname(path).toLowerCase();
  if (binary.test(extension)) {
    const message = `\`${path}\` is not text, so it cannot be put in`;
    const repair = "export it as .csv, .jsonl or .md, and name that file";
    options.diagnostics.error("LW-FILE-UNSUPPORTED", at, message, repair);
    return undefined;
  }
  if (options.budget.isSpent) return undefined;
  const fromRoot = posix.isAbsolute(path) ? path : posix.join(posix.dirname(at.file), path);
  const source = readSource(fromRoot, { root: options.root, maxBytes: maxDataBytes });
  const [fault] = source.problems ?? [];
  if (fault !== undefined) {
    reportUnread(source, fault, at, missingFileRepair(fromRoot, options.root, at.file), options);
    return undefined;
  }
  const excess = options.budget.take(source.text.length);
  if (excess !== undefined) {
    if (excess !== "") options.diagnostics.error("LW-FILE-CHAIN", at, excess, "put less in");
    return undefined;
  }
  if (asText) return { kind: "text", text: source.text };
  switch (extension) {
    case ".yaml":
    case ".yml": {
      const node = parseYaml(source, options.diagnostics);
      return node === undefined ? undefined : { kind: "node", node };
    }
    case ".json": {
      const value = parseJson(source.text, source, 1, at, options);
      return value === undefined ? undefined : { kind: "data", value };
    }
    case ".jsonl":
      return jsonLines(source, at, options);
    case ".csv":
      return csvRows(source, at, options);
    default:
      return { kind: "text", text: source.text };
  }
}

function reportUnread(
  { file }: SourceText,
  { code, line, column, message, suggestion }: SourceProblem,
  at: ScalarNode,
  otherwise: string,
  { diagnostics }: FileOptions,
): void {
  const isInFile =
    code === "LW-FILE-ENCODING" ||
    code === "LW-FILE-CONTROL-CHARACTER" ||
    code === "LW-FILE-LINE-ENDING";
  const notes = isInFile ? [`in ${file}:${line}:${column}`] : [];
  diagnostics.error(code, at, message, suggestion ?? otherwise, notes);
}

function jsonLines(
  source: SourceText,
  at: ScalarNode,
  options: FileOptions,
): FileValue | undefined {
  const values: Json[] = [];
  for (const [index, line] of source.lines.entries()) {
    if (line.trim() === "") continue;
    const value = parseJson(line, source, index + 1, at, options);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return { kind: "data", value: values };
}

function csvRows(source: SourceText, at: ScalarNode, options: FileOptions): FileValue | undefined {
  const read = parseCsv(source.text);
  if (read.ok) return { kind: "data", value: read.rows };
  const { line, column, message, suggestion } = read;
  options.diagnostics.error(
    "LW-FILE-FORMAT",
    { file: source.file, line, column },
    `the file is not valid CSV: ${message}`,
    suggestion,
    [`read by \`\${file:…}\` at ${at.file}:${at.line}`],
  );
  return undefined;
}

function parseJson(
  text: string,
  source: SourceText,
  line: number,
  at: ScalarNode,
  options: FileOptions,
): Json | undefined {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown";
    const place = placeOfJsonError(reason, text, line);
    options.diagnostics.error(
      "LW-FILE-FORMAT",
      { file: source.file, ...place },
      `the file is not valid JSON: ${reason}`,
      "mend it there: JSON wants double quotes, and no comma after the last item",
      [`read by \`\${file:…}\` at ${at.file}:${at.line}`],
    );
    return undefined;
  }
  if (!isDeeperThan(value, maxDepth)) return value;
  options.diagnostics.error(
    "LW-YAML-DEPTH",
    { file: source.file, line, column: 1 },
    `values are nested deeper than ${maxDepth} levels`,
    "nest less, or put the inner part into a file of its own",
  );
  return undefined;
}

function placeOfJsonError(
  reason: string,
  text: string,
  firstLine: number,
): { line: number; column: number } {
  const offset = Number(/position (\d+)/.exec(reason)?.[1] ?? 0);
  const before = text.slice(0, offset);
  return {
    line: firstLine + before.split("\n").length - 1,
    column: offset - before.lastIndexOf("\n"),
  };
}

function isDeeperThan(value: Json, limit: number): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item) =>
      typeof item === "object" && item !== null ? Object.values(item) : [],
    );
  }
  return false;
}
