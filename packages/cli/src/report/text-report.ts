import type { Program } from "@loopwright/core";
import { countText, counted, diagnosticText } from "../diagnostic-text.ts";
import type { CheckedSpec } from "./checked-spec.ts";

/** The findings as a person reads them, each spec with its count. */
export function textReport(checked: readonly CheckedSpec[]): string {
  return checked.map(specText).join("");
}

/** A line for each spec: how many findings, and the worst case. */
export function summaryLines(checked: readonly CheckedSpec[]): string {
  return checked.map((one) => `${summaryOf(one)}\n`).join("");
}

function specText(one: CheckedSpec): string {
  const { result, root } = one;
  if (result.diagnostics.length === 0) return `${summaryOf(one)}\n`;
  return `${diagnosticText(result, root)}\n\n${summaryOf(one)}\n\n`;
}

function summaryOf({ spec, result }: CheckedSpec): string {
  const { program, diagnostics } = result;
  const worst = program === undefined ? fragmentText(diagnostics) : `; ${worstCase(program)}`;
  return `${spec}: ${diagnostics.length === 0 ? "ok" : countText(diagnostics)}${worst}`;
}

function fragmentText(diagnostics: CheckedSpec["result"]["diagnostics"]): string {
  const isFragment = diagnostics.some(({ code }) => code === "LW-SPEC-FRAGMENT");
  return isFragment ? "; a fragment: other specs extend it, it can't run" : "";
}

/** At most so many calls, whatever the models say; a limit may end a run earlier. */
function worstCase({ bounds, limits }: Program): string {
  const capped = (most: number, limit: number | undefined): number => Math.min(most, limit ?? most);
  const models = capped(bounds.requests[1], limits.modelCalls);
  const tools = capped(bounds.toolCalls[1], limits.toolCalls);
  return `at most ${counted(models, "model call")} and ${counted(tools, "tool call")}`;
}
