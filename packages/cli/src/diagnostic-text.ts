import { relative, resolve } from "node:path";
import { type CheckResult, type Diagnostic, formatDiagnostic } from "@loopwright/core";

/** Every diagnostic of a check as a person reads it, with paths from the working folder. */
export function diagnosticText(
  { diagnostics, sources }: Pick<CheckResult, "diagnostics" | "sources">,
  root: string,
): string {
  return diagnostics
    .map((found) => formatDiagnostic(fromHere(found, root), sources.get(found.file)))
    .join("\n\n");
}

/** A diagnostic whose file is given from the working folder. */
export function fromHere(found: Diagnostic, root: string): Diagnostic {
  // `--set` and `--model` are places too.
  if (found.file.startsWith("--")) return found;
  return { ...found, file: relative(process.cwd(), resolve(root, found.file)) || found.file };
}

/** `2 errors, 1 warning`. */
export function countText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return `${counted(errors, "error")}, ${counted(diagnostics.length - errors, "warning")}`;
}

/** A count with its noun. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
