import { basename, resolve } from "node:path";
import type { Program } from "@loopwright/core";
import { countText, counted, diagnosticText } from "../diagnostic-text.ts";
import { neutralizeName } from "../neutralize.ts";
import type { CheckedSpec } from "./checked-spec.ts";

/** The findings as a person reads them, each spec with its count. */
export function textReport(checked: readonly CheckedSpec[], isStrict: boolean = false): string {
  return checked.map((one) => specText(one, isStrict)).join("");
}

/** A line for each spec: how many findings, and the worst case. */
export function summaryLines(checked: readonly CheckedSpec[], isStrict: boolean = false): string {
  return checked.map((one) => `${summaryOf(one, isStrict)}\n`).join("");
}

function specText(one: CheckedSpec, isStrict: boolean): string {
  const { result, root } = one;
  const summary = summaryOf(one, isStrict);
  if (result.diagnostics.length === 0) return `${summary}\n`;
  return `${diagnosticText(result, root)}\n\n${summary}\n\n`;
}

function summaryOf({ spec, result }: CheckedSpec, isStrict: boolean): string {
  const { program, diagnostics } = result;
  const worst = program === undefined ? fragmentText(diagnostics) : `; ${worstCase(program)}`;
  const found = diagnostics.length === 0 ? "ok" : countText(diagnostics);
  return `${neutralizeName(nameOf(spec))}: ${found}${isStrict ? strictText(diagnostics) : ""}${worst}`;
}

/** The working folder has the name that its finding says. */
function nameOf(spec: string): string {
  return resolve(spec) === process.cwd() ? basename(resolve(spec)) : spec;
}

/** Why warnings alone make a strict check fail. */
function strictText(diagnostics: CheckedSpec["result"]["diagnostics"]): string {
  if (diagnostics.some(({ severity }) => severity === "error")) return "";
  if (diagnostics.length === 0) return "";
  return `, and --strict counts ${diagnostics.length === 1 ? "it" : "them"}`;
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
  const tries = capped(bounds.attempts, limits.modelCalls);
  const again =
    tries > models ? ` (${counted(tries, "call")} when some fail and are made again)` : "";
  const told = [counted(models, "model call"), counted(tools, "tool call")];
  const most = told.some((text) => text.includes("more than")) ? "" : "at most ";
  return `${most}${told.join(`${again} and `)}`;
}
