import type { Draft } from "./draft.ts";
import { DraftReader } from "./draft-reader.ts";
import { ReadFault } from "./read-fault.ts";
import { ReplyCursor } from "./reply-cursor.ts";
import type { StepBudget } from "./step-budget.ts";

/** A value that takes up a whole text, with the repairs of its syntax. */
export interface WholeValue {
  readonly draft: Draft;
  readonly repairs: ReadonlyMap<string, number>;
}

/** Reads a text that is one value from its first to its last character; nothing where it is not. */
export function readWhole(
  text: string,
  budget: StepBudget,
  maxDepth: number,
  isStrict: boolean,
): WholeValue | undefined {
  const reader = new DraftReader(new ReplyCursor(text, 0, budget, isStrict), maxDepth);
  const { cursor } = reader;
  try {
    cursor.skip();
    const draft = reader.value("whole");
    cursor.skip();
    return cursor.at === text.length ? { draft, repairs: cursor.repairs } : undefined;
  } catch (fault) {
    if (fault instanceof ReadFault && !isTold(fault)) return undefined;
    throw fault;
  }
}

/** True for a fault that stays one, whatever else is tried. */
function isTold(fault: ReadFault): boolean {
  return fault.isFinal || fault.code === "duplicate-key" || fault.code === "forbidden-key";
}
