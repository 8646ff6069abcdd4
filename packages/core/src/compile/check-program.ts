import { adviseProgram } from "./advice/advise-program.ts";
import type { SpecDocument } from "../spec/document/read-document.ts";
import type { Draft } from "./canonical-spec.ts";
import { checkRequirements } from "./check-requirements.ts";
import { checkSchemas } from "./check-schemas.ts";
import type { CheckList } from "./compile-checks.ts";
import type { CompileContext } from "./compile-context.ts";
import { checkLimits } from "./check-limits.ts";
import { checkPrices } from "./check-prices.ts";
import type { ReadStage } from "./read-stages.ts";
import { checkFlow } from "./flow/check-flow.ts";

/** A compiled spec beside what it was compiled from. */
export interface CheckedParts {
  readonly draft: Draft;
  readonly document: SpecDocument;
  /** The stages as the spec says them, by id. */
  readonly stages: ReadonlyMap<string, ReadStage>;
  readonly checks: CheckList;
}

/**
 * Checks what only the whole program shows. It is called also where other errors were found: `context.unsound` names the
 * stages that are not known whole, and nothing that follows from them is told.
 */
export function checkProgram(parts: CheckedParts, context: CompileContext): void {
  const { draft, document, stages } = parts;
  const { diagnostics, unsound } = context;
  checkFlow({ draft, document, stages, unsound }, diagnostics);
  if (unsound.size === 0) checkLimits(parts, diagnostics);
  checkPrices(parts, diagnostics);
  checkSchemas(draft, document, diagnostics);
  checkRequirements(parts, diagnostics);
  adviseProgram(parts, unsound, diagnostics);
}
