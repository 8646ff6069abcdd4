import type { DiagnosticCode } from "./diagnostic-codes.ts";
import type { DiagnosticExample } from "./examples/diagnostic-example.ts";

/** Loads the long explanations of all diagnostic codes; apart, because a check needs none of them. */
export async function loadDiagnosticExamples(): Promise<
  Readonly<Record<DiagnosticCode, DiagnosticExample>>
> {
  return (await import("./diagnostic-examples.ts")).DIAGNOSTIC_EXAMPLES;
}
