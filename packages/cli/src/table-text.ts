import { neutralize } from "./neutralize.ts";

/** Rows as lines with aligned columns, two spaces between them. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const safe = rows.map((row) => row.map((cell) => neutralize(cell).replaceAll("\n", " ")));
  const count = Math.max(0, ...safe.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...safe.map((row) => row[column]?.length ?? 0)),
  );
  return safe
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}
