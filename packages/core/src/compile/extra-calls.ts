import { defaultRepair } from "../output/default-repair.ts";
import type { OutputDeclaration } from "../program/program.ts";

/** How many model calls more than one a generation may take: for repairs of its form, for those of its content, and for the fields. */
export function extraCalls(output: OutputDeclaration | undefined): number {
  if (output === undefined) return defaultRepair;
  const { repair, checkRepair, checks, reasoning } = output;
  return repair + (checks.length > 0 ? checkRepair : 0) + (reasoning === "separate" ? 1 : 0);
}
