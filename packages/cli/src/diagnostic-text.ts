import { relative, resolve } from "node:path";
import { type CheckResult, type Diagnostic, formatDiagnostic, inFigures } from "@loopwright/core";
import { shownDiagnostics } from "./shown-diagnostics.ts";

/** A place in a file. */
type Position = Pick<Diagnostic, "file" | "line" | "column">;

/** The diagnostics of a check as a person reads them, with paths from the working folder; of very many, the first. */
export function diagnosticText(
  { diagnostics, sources }: Pick<CheckResult, "diagnostics" | "sources">,
  root: string,
): string {
  const { shown, hidden } = shownDiagnostics(diagnostics, (file) => fileFromHere(file, root));
  const told = shown.map((found) =>
    formatDiagnostic(fromHere(found, root), sources.get(found.file)),
  );
  if (hidden.length === 0) return told.join("\n\n");
  const count = inFigures(hidden.length);
  const rest = `… and ${count} more (${countText(hidden)}); loopwright check --format json gives all`;
  return [...told, rest].join("\n\n");
}

/** A diagnostic whose file is given from the working folder. */
export function fromHere(found: Diagnostic, root: string): Diagnostic {
  return { ...found, file: fileFromHere(found.file, root) };
}

/** A place as `file:line:column`, with the path from the working folder. */
export function placeText({ file, line, column }: Position, root: string): string {
  return `${fileFromHere(file, root)}:${line}:${column}`;
}

function fileFromHere(file: string, root: string): string {
  // `--set` and `--model` are places too.
  if (file.startsWith("--")) return file;
  return relative(process.cwd(), resolve(root, file)) || file;
}

/** `2 errors, 1 warning`. */
export function countText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return `${counted(errors, "error")}, ${counted(diagnostics.length - errors, "warning")}`;
}

/** Greater counts are told in words: nobody could read the figures. */
const greatestTold = 1_000_000_000;

/** A count with its noun. */
export function counted(count: number, noun: string): string {
  const told = inFigures(Math.min(count, greatestTold));
  return `${count > greatestTold ? "more than " : ""}${told} ${noun}${count === 1 ? "" : "s"}`;
}
