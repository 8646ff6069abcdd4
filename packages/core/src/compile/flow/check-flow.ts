import type { SpecDocument } from "../../spec/document/read-document.ts";
import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import type { Draft } from "../canonical-spec.ts";
import type { ReadStage } from "../read-stages.ts";
import { checkOutside } from "./check-reads.ts";
import { allStages, type FlowContext, leavingsOf, writersOf } from "./flow-context.ts";
import { checkLoops } from "./never-passes.ts";
import { outsideReads } from "./outside-reads.ts";
import { readsOfStage } from "./state-reads.ts";
import { checkUnanswered } from "./unanswered.ts";
import { checkUnread } from "./unread.ts";
import { walkSequence } from "./walk-flow.ts";
import { NOTHING } from "./written.ts";

/** What the check of the data flow looks at. */
export interface FlowParts {
  readonly draft: Draft;
  readonly document: SpecDocument;
  /** The stages as the spec says them, by id. */
  readonly stages: ReadonlyMap<string, ReadStage>;
  /** Ids of stages that are not known whole. */
  readonly unsound: ReadonlySet<string>;
}

/**
 * Checks what reads what: everything that a stage, a text or an expression reads is written before it, every stage can
 * be reached, loops can pass, branches beside each other keep apart, and what is produced is read.
 */
export function checkFlow(parts: FlowParts, diagnostics: Diagnostics): void {
  const { draft, document, stages: sites, unsound } = parts;
  // A stage that is missing from the tree could have written anything.
  if ([...unsound].some((id) => !draft.stages.has(id))) return;
  const stages = allStages(draft.strategy);
  const context: FlowContext = {
    diagnostics,
    sites,
    checks: draft.checks,
    unsound,
    idle: new Set(),
    starts: new Map(),
    unwritten: new Set(),
    writers: writersOf(stages, { unsound }),
    leaves: leavingsOf(stages, { unsound }),
    reads: new Map(
      stages.map((stage) => [stage, readsOfStage(stage, sites.get(stage.id), draft.checks)]),
    ),
  };
  const outside = outsideReads(draft, document);
  const end = walkSequence(draft.strategy, NOTHING, context);
  for (const read of outside) checkOutside(read, context);
  checkLoops(stages, context);
  // Where nothing answers, what is left unread is read by the stage that is missing.
  if (checkUnanswered({ strategy: draft.strategy, document, end, outside }, context)) return;
  checkUnread(stages, outside, context);
}
