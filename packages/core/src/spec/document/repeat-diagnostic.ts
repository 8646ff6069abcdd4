import type { Diagnostic, Diagnostics } from "../text/diagnostic.ts";
import type { DiagnosticCode } from "../text/diagnostic-codes.ts";

/** Records a finding of one check in another. */
export function repeatDiagnostic(item: Diagnostic, into: Diagnostics): void {
  const code = item.code as DiagnosticCode;
  const { message, suggestion, notes } = item;
  if (item.severity === "error") into.error(code, item, message, suggestion, notes);
  else into.warn(code, item, message, suggestion, notes);
}
